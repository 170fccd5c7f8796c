// kafkajs: the most used client of Node.

import kafkajs from 'kafkajs'
import { bootstrap, equal, fails, fresh, numbers, runAll, test, until } from './cases.mjs'

const { CompressionTypes, ConfigResourceTypes, Kafka, Partitioners, logLevel } = kafkajs
const kafka = new Kafka({ clientId: 'acceptance', brokers: [bootstrap], logLevel: logLevel.NOTHING })
const admin = kafka.admin()

async function topic (partitions = 1, config = {}) {
  const name = fresh('kafkajs')
  const configEntries = Object.entries(config).map(([key, value]) => ({ name: key, value }))
  await admin.createTopics({ topics: [{ topic: name, numPartitions: partitions, configEntries }], waitForLeaders: true })
  return name
}

async function produce (name, messages, { producer: settings = {}, ...send } = {}) {
  const producer = kafka.producer({ createPartitioner: Partitioners.DefaultPartitioner, ...settings })
  await producer.connect()
  try {
    return await producer.send({ topic: name, messages, ...send })
  } finally {
    await producer.disconnect()
  }
}

function member (groupId, settings = {}) {
  return kafka.consumer({ groupId, heartbeatInterval: 300, sessionTimeout: 10_000, rebalanceTimeout: 5_000, maxWaitTimeInMs: 200, metadataMaxAge: 1_000, ...settings })
}

/// Reads from the beginning of a topic in a new group until there are enough messages.
async function read (name, count, groupId = fresh('group')) {
  const consumer = member(groupId)
  const messages = []
  await consumer.connect()
  await consumer.subscribe({ topics: [name], fromBeginning: true })
  await consumer.run({ eachMessage: async ({ partition, message }) => { messages.push({ partition, ...message }) } })
  await until(`${count} messages`, () => messages.length >= count)
  await consumer.disconnect()
  return messages
}

const text = messages => messages.map(message => message.value.toString())

test('messages_arrive_in_order', async () => {
  const name = await topic()
  const [sent] = await produce(name, numbers(300).map(value => ({ value })))
  equal([sent.baseOffset, sent.errorCode], ['0', 0])
  equal(text(await read(name, 300)), numbers(300))
})

for (const acks of [0, 1, -1]) {
  test(`acks_${acks}`, async () => {
    const name = await topic()
    await produce(name, numbers(20).map(value => ({ value })), { acks })
    equal(text(await read(name, 20)), numbers(20))
  })
}

test('gzip', async () => {
  const name = await topic()
  const values = numbers(200).map(n => n + 'ottla'.repeat(100))
  await produce(name, values.map(value => ({ value })), { compression: CompressionTypes.GZIP })
  equal(text(await read(name, 200)), values)
})

test('keys_headers_timestamps_and_nulls', async () => {
  const name = await topic(1, { 'retention.ms': '-1' })
  await produce(name, [
    { key: 'k', value: 'v', timestamp: '1700000000000', headers: { a: '1', b: ['2', '3'] } },
    { key: null, value: null },
    { key: '', value: '' }
  ])
  const [full, nothing, empty] = await read(name, 3)
  equal([full.key.toString(), full.value.toString(), full.timestamp], ['k', 'v', '1700000000000'])
  equal([full.headers.a.toString(), full.headers.b.map(String)], ['1', ['2', '3']])
  equal([nothing.key, nothing.value], [null, null])
  equal([empty.key.length, empty.value.length], [0, 0])
})

test('keys_decide_the_partition', async () => {
  const name = await topic(4)
  await produce(name, numbers(200).map(n => ({ key: `k${n % 20}`, value: n })))
  const places = new Map()
  for (const message of await read(name, 200)) {
    const key = message.key.toString()
    places.set(key, (places.get(key) ?? new Set()).add(message.partition))
  }
  equal([places.size, [...places.values()].every(set => set.size === 1)], [20, true])
})

test('idempotent_producer', async () => {
  const name = await topic()
  const producer = kafka.producer({ idempotent: true, createPartitioner: Partitioners.DefaultPartitioner })
  await producer.connect()
  for (let i = 0; i < 20; i++) await producer.send({ topic: name, messages: [{ value: String(i) }] })
  await producer.disconnect()
  equal(text(await read(name, 20)), numbers(20))
})

test('large_message', async () => {
  const name = await topic(1, { 'max.message.bytes': '3000000' })
  const value = Buffer.alloc(2_500_000, 'x')
  await produce(name, [{ value }])
  equal((await read(name, 1))[0].value.equals(value), true)
})

test('too_large_is_refused', async () => {
  const name = await topic(1, { 'max.message.bytes': '1000' })
  await fails(produce(name, [{ value: 'x'.repeat(4_000) }], { producer: { retry: { retries: 0 } } }), /MESSAGE_TOO_LARGE/)
})

test('group_goes_on_where_it_committed', async () => {
  const name = await topic()
  const group = fresh('group')
  await produce(name, numbers(10).map(value => ({ value })))
  await read(name, 10, group)
  await produce(name, [{ value: 'next' }])
  equal(text(await read(name, 1, group)), ['next'])
})

test('two_members_share_and_hand_over', async () => {
  const name = await topic(4)
  const group = fresh('group')
  const sizes = [0, 0]
  const members = [member(group), member(group)]
  for (const [i, consumer] of members.entries()) {
    consumer.on(consumer.events.GROUP_JOIN, ({ payload }) => { sizes[i] = payload.memberAssignment[name]?.length ?? 0 })
    await consumer.connect()
    await consumer.subscribe({ topics: [name] })
    await consumer.run({ eachMessage: async () => {} })
    await until('an assignment', () => sizes[i] === (i === 0 ? 4 : 2))
  }
  await until('both have two', () => sizes[0] === 2 && sizes[1] === 2)
  await members[0].disconnect()
  await until('the other has all', () => sizes[1] === 4)
  await members[1].disconnect()
})

test('seek_and_pause', async () => {
  const name = await topic()
  await produce(name, numbers(50).map(value => ({ value })))
  const consumer = member(fresh('group'))
  const seen = []
  await consumer.connect()
  await consumer.subscribe({ topics: [name], fromBeginning: true })
  await consumer.run({ eachMessage: async ({ message }) => { seen.push(message.value.toString()) } })
  await until('all', () => seen.length === 50)
  consumer.seek({ topic: name, partition: 0, offset: '45' })
  await until('the last five again', () => seen.length === 55)
  equal(seen.slice(50), ['45', '46', '47', '48', '49'])
  consumer.pause([{ topic: name }])
  equal(consumer.paused(), [{ topic: name, partitions: [0] }])
  await produce(name, [{ value: '50' }])
  equal((await admin.fetchTopicOffsets(name))[0].high, '51')
  equal(seen.length, 55)
  consumer.resume([{ topic: name }])
  await until('the paused one', () => seen.length === 56)
  await consumer.disconnect()
})

test('admin_topics_and_partitions', async () => {
  const name = await topic()
  equal(await admin.createTopics({ topics: [{ topic: name }] }), false)
  await admin.createPartitions({ topicPartitions: [{ topic: name, count: 3 }] })
  await until('three partitions', async () => (await admin.fetchTopicMetadata({ topics: [name] })).topics[0].partitions.length === 3)
  equal((await admin.listTopics()).includes(name), true)
  await admin.deleteTopics({ topics: [name] })
  await until('the topic is gone', async () => !(await admin.listTopics()).includes(name))
  await fails(admin.createTopics({ topics: [{ topic: 'no good!' }] }), /INVALID_TOPIC/)
})

test('admin_configs', async () => {
  const name = await topic()
  const resource = { type: ConfigResourceTypes.TOPIC, name }
  await admin.alterConfigs({ resources: [{ ...resource, configEntries: [{ name: 'retention.ms', value: '777' }] }] })
  await until('new value', async () => {
    const { resources } = await admin.describeConfigs({ includeSynonyms: true, resources: [resource] })
    return resources[0].configEntries.find(entry => entry.configName === 'retention.ms').configValue === '777'
  })
})

test('admin_offsets_and_groups', async () => {
  const name = await topic(1, { 'retention.ms': '-1' })
  const group = fresh('group')
  await produce(name, numbers(10).map((value, i) => ({ value, timestamp: String(1_700_000_000_000 + i * 1000) })))
  const { offset, high, low } = (await admin.fetchTopicOffsets(name))[0]
  equal([offset, high, low], ['10', '10', '0'])
  equal((await admin.fetchTopicOffsetsByTimestamp(name, 1_700_000_004_500))[0].offset, '5')
  await read(name, 10, group)
  await admin.setOffsets({ groupId: group, topic: name, partitions: [{ partition: 0, offset: '3' }] })
  equal((await admin.fetchOffsets({ groupId: group, topics: [name] }))[0].partitions[0].offset, '3')
  equal((await admin.listGroups()).groups.some(found => found.groupId === group), true)
  equal((await admin.describeGroups([group])).groups[0].state, 'Empty')
  await admin.deleteTopicRecords({ topic: name, partitions: [{ partition: 0, offset: '4' }] })
  equal((await admin.fetchTopicOffsets(name))[0].low, '4')
  equal((await admin.deleteGroups([group]))[0].errorCode ?? 0, 0)
})

test('admin_cluster', async () => {
  const cluster = await admin.describeCluster()
  equal([cluster.brokers.length, cluster.controller], [1, cluster.brokers[0].nodeId])
})

await admin.connect()
await runAll()
