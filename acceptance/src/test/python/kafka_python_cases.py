"""kafka-python (Debian's python3-kafka 2.0.2): a pure Python client with request versions of 2020."""

import os

from kafka import KafkaAdminClient, KafkaConsumer, KafkaProducer, OffsetAndMetadata, TopicPartition
from kafka import errors
from kafka.admin import ConfigResource, ConfigResourceType, NewPartitions, NewTopic

from cases import BOOTSTRAP, case, cases, equal, fresh, run, until

ADMIN = KafkaAdminClient(bootstrap_servers=BOOTSTRAP)


def topic(partitions=1, **config):
    name = fresh("kafka-python")
    settings = {key.replace("_", "."): value for key, value in config.items()}
    ADMIN.create_topics([NewTopic(name, partitions, 1, topic_configs=settings)])
    until("topic is known", lambda: name in ADMIN.list_topics())
    return name


def produce(name, records, **settings):
    producer = KafkaProducer(bootstrap_servers=BOOTSTRAP, **settings)
    futures = [producer.send(name, **record) for record in records]
    producer.flush(30)
    sent = [future.get(30) for future in futures]
    producer.close()
    return sent


def consumer(group=None, **settings):
    return KafkaConsumer(
        bootstrap_servers=BOOTSTRAP,
        group_id=group,
        **{
            "auto_offset_reset": "earliest",
            "enable_auto_commit": False,
            "heartbeat_interval_ms": 300,
            "metadata_max_age_ms": 1000,
            **settings,
        },
    )


def read(client, count):
    records = []

    def more():
        for batch in client.poll(200, max_records=count - len(records)).values():
            records.extend(batch)
        return len(records) >= count

    until(f"{count} records", more)
    return records


def read_all(name, count, **settings):
    client = consumer(**settings)
    client.assign([TopicPartition(name, 0)])
    client.seek_to_beginning()
    records = read(client, count)
    client.close()
    return records


def numbers(count):
    return [b"%d" % i for i in range(count)]


@case
def produces_and_consumes_in_order():
    name = topic()
    sent = produce(name, [{"value": value} for value in numbers(300)])
    equal([record.offset for record in sent], list(range(300)))
    equal([record.value for record in read_all(name, 300)], numbers(300))


@cases([0, 1, "all"])
def acks(level):
    name = topic()
    produce(name, [{"value": value} for value in numbers(20)], acks=level)
    equal([record.value for record in read_all(name, 20)], numbers(20))


@case
def gzip():
    """The one codec that needs no further Python library."""
    name = topic()
    sent = [b"%d " % i + b"ottla" * 100 for i in range(100)]
    produce(name, [{"value": value} for value in sent], compression_type="gzip", linger_ms=30)
    equal([record.value for record in read_all(name, 100)], sent)


@case
def headers_keys_and_timestamps():
    name = topic(retention_ms="-1")
    base = 1700000000000
    produce(name, [{"key": b"k", "value": b"v", "headers": [("a", b"1"), ("a", b"")], "timestamp_ms": base + i} for i in range(5)])
    for i, record in enumerate(read_all(name, 5)):
        equal((record.key, record.headers, record.timestamp), (b"k", [("a", b"1"), ("a", b"")], base + i))


@case
def offsets_for_times_and_ends():
    name = topic(retention_ms="-1")
    base = 1700000000000
    produce(name, [{"value": b"v", "timestamp_ms": base + i * 1000} for i in range(10)])
    partition = TopicPartition(name, 0)
    client = consumer()
    equal(client.offsets_for_times({partition: base + 4500})[partition].offset, 5)
    equal(client.offsets_for_times({partition: base + 99000})[partition], None)
    equal(client.beginning_offsets([partition])[partition], 0)
    equal(client.end_offsets([partition])[partition], 10)
    client.close()


@case
def seeks():
    name = topic()
    produce(name, [{"value": value} for value in numbers(50)])
    partition = TopicPartition(name, 0)
    client = consumer()
    client.assign([partition])
    client.seek(partition, 33)
    equal(read(client, 1)[0].value, b"33")
    client.seek_to_end(partition)
    equal(client.position(partition), 50)
    client.close()


@case
def large_record():
    name = topic(max_message_bytes="3000000")
    payload = os.urandom(2500000)
    produce(name, [{"value": payload}], max_request_size=3000000)
    equal(read_all(name, 1)[0].value, payload)


@case
def too_large_is_refused():
    name = topic(max_message_bytes="1000")
    try:
        produce(name, [{"value": os.urandom(4000)}])
    except errors.MessageSizeTooLargeError:
        return
    raise AssertionError("accepted")


@case
def group_goes_on_where_it_committed():
    name, group = topic(), fresh("group")
    produce(name, [{"value": value} for value in numbers(10)])
    client = consumer(group)
    client.subscribe([name])
    read(client, 4)
    client.commit({TopicPartition(name, 0): OffsetAndMetadata(4, "note")})
    equal(client.committed(TopicPartition(name, 0), metadata=True), OffsetAndMetadata(4, "note"))
    client.close()
    client = consumer(group)
    client.subscribe([name])
    equal([record.value for record in read(client, 6)], numbers(10)[4:])
    client.close()


@case
def groups_are_described_and_deleted():
    name, group = topic(2), fresh("group")
    produce(name, [{"value": b"v", "partition": 0}])
    client = consumer(group)
    client.subscribe([name])
    read(client, 1)
    client.commit()
    assert (group, "consumer") in ADMIN.list_consumer_groups()
    described = ADMIN.describe_consumer_groups([group])[0]
    equal((described.state, len(described.members)), ("Stable", 1))
    equal(ADMIN.list_consumer_group_offsets(group)[TopicPartition(name, 0)].offset, 1)
    client.close()
    until("group is empty", lambda: ADMIN.describe_consumer_groups([group])[0].state == "Empty")
    equal(ADMIN.delete_consumer_groups([group])[0][1], errors.NoError)


@case
def admin_topics():
    name = topic()
    ADMIN.create_partitions({name: NewPartitions(3)})
    until("three partitions", lambda: len(ADMIN.describe_topics([name])[0]["partitions"]) == 3)
    try:
        ADMIN.create_topics([NewTopic(name, 1, 1)])
    except errors.TopicAlreadyExistsError:
        pass
    else:
        raise AssertionError("created twice")
    ADMIN.delete_topics([name])
    until("topic is gone", lambda: name not in ADMIN.list_topics())
    equal(len(ADMIN.describe_cluster()["brokers"]), 1)


@case
def admin_configs():
    name = topic()
    ADMIN.alter_configs([ConfigResource(ConfigResourceType.TOPIC, name, {"retention.ms": "777"})])

    def values():
        answers = ADMIN.describe_configs([ConfigResource(ConfigResourceType.TOPIC, name)])
        return {entry[0]: entry[1] for answer in answers for resource in answer.resources for entry in resource[4]}

    until("new value", lambda: values().get("retention.ms") == "777")


if __name__ == "__main__":
    run()
