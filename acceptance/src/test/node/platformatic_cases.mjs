// @platformatic/kafka: a newer client of Node with newer request versions, both group protocols.

import { Admin, Consumer, MessagesStreamModes, Producer, stringDeserializers, stringSerializers } from '@platformatic/kafka'
import { bootstrap, equal, fails, fresh, numbers, runAll, test, until } from './cases.mjs'

const base = { clientId: 'acceptance', bootstrapBrokers: [bootstrap], retries: 5, retryDelay: 200, metadataMaxAge: 1_000 }
const admin = new Admin(base)

async function topic (partitions = 1, config = {}) {
  const name = fresh('platformatic')
  const configs = Object.entries(config).map(([key, value]) => ({ name: key, value }))
  await admin.createTopics({ topics: [name], partitions, replicas: 1, configs })
  await until('the topic is known', async () => (await admin.listTopics()).includes(name))
  return name
}

async function produce (name, messages, options = {}) {
  const producer = new Producer({ ...base, serializers: stringSerializers, ...options })
  try {
    return await producer.send({ acks: -1, messages: messages.map(message => ({ topic: name, ...message })) })
  } finally {
    await producer.close(true)
  }
}

function member (groupId, options = {}) {
  return new Consumer({ ...base, groupId, deserializers: stringDeserializers, maxWaitTime: 200, ...options })
}

async function read (name, count, { group = fresh('group'), mode = MessagesStreamModes.EARLIEST, ...options } = {}) {
  const consumer = member(group, options)
  const stream = await consumer.consume({ topics: [name], mode, fallbackMode: 'earliest', autocommit: true })
  const messages = []
  stream.on('data', message => { messages.push(message) })
  try {
    await until(`${count} messages`, () => messages.length >= count)
  } finally {
    await stream.close()
    await consumer.close(true)
  }
  return messages
}

const values = messages => messages.map(message => message.value)

test('messages_arrive_in_order', async () => {
  const name = await topic()
  const { offsets } = await produce(name, numbers(300).map(value => ({ value })))
  equal(offsets[0].offset, 0n)
  equal(values(await read(name, 300)), numbers(300))
})

for (const acks of [0, 1, -1]) {
  test(`acks_${acks}`, async () => {
    const name = await topic()
    await produce(name, numbers(20).map(value => ({ value })), { acks })
    equal(values(await read(name, 20)), numbers(20))
  })
}

for (const compression of ['none', 'gzip', 'snappy', 'lz4']) {
  test(`codec_${compression}`, async () => {
    const name = await topic()
    const sent = numbers(200).map(n => n + 'ottla'.repeat(100))
    await produce(name, sent.map(value => ({ value })), { compression })
    equal(values(await read(name, 200)), sent)
  })
}

test('keys_headers_and_timestamps', async () => {
  const name = await topic(1, { 'retention.ms': '-1' })
  await produce(name, [{ key: 'k', value: 'v', headers: { a: '1' }, timestamp: 1_700_000_000_000n }])
  const [message] = await read(name, 1)
  equal([message.key, message.value, message.headers.get('a'), message.timestamp], ['k', 'v', '1', 1_700_000_000_000n])
})

test('idempotent_producer', async () => {
  const name = await topic()
  const producer = new Producer({ ...base, serializers: stringSerializers, idempotent: true })
  for (let i = 0; i < 20; i++) await producer.send({ acks: -1, messages: [{ topic: name, partition: 0, value: String(i) }] })
  await producer.close(true)
  equal(values(await read(name, 20)), numbers(20))
})

test('too_large_is_refused', async () => {
  const name = await topic(1, { 'max.message.bytes': '1000' })
  await fails(produce(name, [{ value: 'x'.repeat(4_000) }], { retries: 0 }), /MESSAGE_TOO_LARGE/)
})

for (const groupProtocol of ['classic', 'consumer']) {
  test(`group_goes_on_where_it_committed_${groupProtocol}`, async () => {
    const name = await topic()
    const group = fresh('group')
    const options = { group, groupProtocol, mode: MessagesStreamModes.COMMITTED }
    await produce(name, numbers(10).map(value => ({ value })))
    equal(values(await read(name, 10, options)), numbers(10))
    await produce(name, [{ value: 'next' }])
    equal(values(await read(name, 1, options)), ['next'])
  })

  test(`two_members_share_${groupProtocol}`, async () => {
    const name = await topic(4)
    const group = fresh('group')
    const members = [member(group, { groupProtocol }), member(group, { groupProtocol })]
    const streams = []
    for (const consumer of members) {
      streams.push(await consumer.consume({ topics: [name], heartbeatInterval: 300, sessionTimeout: 10_000, rebalanceTimeout: 10_000 }))
      streams.at(-1).on('data', () => {})
    }
    const sizes = () => members.map(consumer => consumer.assignments?.find(found => found.topic === name)?.partitions.length ?? 0)
    await until('both have two', () => sizes().join() === '2,2')
    await streams[0].close()
    await members[0].close(true)
    await until('the other has all', () => sizes()[1] === 4)
    await streams[1].close()
    await members[1].close(true)
  })
}

test('offsets_by_time', async () => {
  const name = await topic(1, { 'retention.ms': '-1' })
  await produce(name, numbers(10).map((value, i) => ({ value, timestamp: BigInt(1_700_000_000_000 + i * 1000) })))
  const ask = async timestamp => {
    const [found] = await admin.listOffsets({ topics: [{ name, partitions: [{ partitionIndex: 0, timestamp }] }] })
    return found.partitions[0].offset
  }
  equal([await ask(-2n), await ask(-1n), await ask(1_700_000_004_500n)], [0n, 10n, 5n])
})

test('admin_topics_and_partitions', async () => {
  const name = await topic()
  await fails(admin.createTopics({ topics: [name], partitions: 1, replicas: 1 }), /TOPIC_ALREADY_EXISTS/)
  await admin.createPartitions({ topics: [{ name, count: 3, assignments: null }] })
  await until('three partitions', async () => (await admin.metadata({ topics: [name], forceUpdate: true })).topics.get(name).partitions.length === 3)
  await admin.deleteTopics({ topics: [name] })
  await until('the topic is gone', async () => !(await admin.listTopics()).includes(name))
})

test('admin_groups', async () => {
  const name = await topic()
  const group = fresh('group')
  await produce(name, [{ value: 'v' }])
  await read(name, 1, { group })
  equal((await admin.listGroups()).has(group), true)
  equal((await admin.describeGroups({ groups: [group] })).get(group).state, 'EMPTY')
  const [offsets] = await admin.listConsumerGroupOffsets({ groups: [group] })
  equal(offsets.topics[0].partitions[0].committedOffset, 1n)
  await admin.deleteGroups({ groups: [group] })
  equal((await admin.listGroups()).has(group), false)
})

test('admin_configs_and_records', async () => {
  const name = await topic(1, { 'retention.ms': '777' })
  const [description] = await admin.describeConfigs({ resources: [{ resourceType: 2, resourceName: name }] })
  equal(description.configs.find(config => config.name === 'retention.ms').value, '777')
  await produce(name, numbers(5).map(value => ({ value })))
  const [deleted] = await admin.deleteRecords({ topics: [{ name, partitions: [{ partition: 0, offset: 2n }] }] })
  equal(deleted.partitions[0].lowWatermark, 2n)
})

await runAll()
