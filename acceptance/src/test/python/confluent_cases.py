"""librdkafka through confluent_kafka (Debian's python3-confluent-kafka)."""

import os
import time

from confluent_kafka import OFFSET_BEGINNING, OFFSET_END, Consumer, KafkaError, KafkaException, Producer, TopicPartition
from confluent_kafka.admin import AdminClient, ConfigResource, NewPartitions, NewTopic

from cases import BOOTSTRAP, case, cases, equal, fresh, run, until

ADMIN = AdminClient({"bootstrap.servers": BOOTSTRAP})


def topic(partitions=1, **config):
    name = fresh("confluent")
    settings = {key.replace("_", "."): value for key, value in config.items()}
    ADMIN.create_topics([NewTopic(name, partitions, 1, config=settings)])[name].result(30)
    until("topic is known", lambda: name in ADMIN.list_topics(timeout=10).topics)
    return name


def produce(name, records, **settings):
    """Sends records given as dictionaries; returns the delivered messages in the order of their callbacks."""
    delivered, errors = [], []

    def done(error, message):
        (errors if error else delivered).append(error or message)

    producer = Producer({"bootstrap.servers": BOOTSTRAP, "linger.ms": 5, **keys(settings)})
    for record in records:
        producer.produce(name, on_delivery=done, **record)
        producer.poll(0)
    equal(producer.flush(40), 0)
    if errors:
        raise KafkaException(errors[0])
    return delivered


def keys(settings):
    return {key.replace("_", "."): value for key, value in settings.items()}


def consumer(group=None, **settings):
    return Consumer({
        "bootstrap.servers": BOOTSTRAP,
        "group.id": group or fresh("group"),
        "auto.offset.reset": "earliest",
        "enable.auto.commit": False,
        "session.timeout.ms": 10000,
        "heartbeat.interval.ms": 300,
        "topic.metadata.refresh.interval.ms": 1000,
        **keys(settings),
    })


def read(client, count):
    messages = []

    def more():
        message = client.poll(0.2)
        if message is not None:
            if message.error():
                raise KafkaException(message.error())
            messages.append(message)
        return len(messages) >= count

    until(f"{count} messages, {len(messages)} so far", more)
    return messages


def read_all(name, count, **settings):
    client = consumer(**settings)
    client.assign([TopicPartition(name, 0, OFFSET_BEGINNING)])
    messages = read(client, count)
    client.close()
    return messages


def values(messages):
    return [message.value() for message in messages]


def numbers(count):
    return [b"%d" % i for i in range(count)]


@case
def delivery_reports_carry_offsets():
    name = topic()
    delivered = produce(name, [{"value": value} for value in numbers(200)])
    equal([message.offset() for message in delivered], list(range(200)))
    equal(values(read_all(name, 200)), numbers(200))


@cases(["0", "1", "all"])
def acks(level):
    name = topic()
    produce(name, [{"value": value} for value in numbers(50)], acks=level)
    equal(values(read_all(name, 50)), numbers(50))


@cases(["none", "gzip", "snappy", "lz4", "zstd"])
def codec(which):
    name = topic()
    sent = [b"%d " % i + b"ottla" * 100 for i in range(200)]
    produce(name, [{"value": value} for value in sent], compression_type=which, linger_ms=30)
    equal(values(read_all(name, 200)), sent)


@cases(["gzip", "snappy", "lz4", "zstd", "uncompressed"])
def topic_codec(which):
    name = topic(compression_type=which)
    sent = [b"%d " % i + b"ottla" * 100 for i in range(100)]
    produce(name, [{"value": value} for value in sent], compression_type="gzip", linger_ms=30)
    equal(values(read_all(name, 100)), sent)


@case
def headers_nulls_and_empty():
    name = topic()
    headers = [("a", b"1"), ("a", b"2"), ("nothing", None), ("empty", b"")]
    produce(name, [{"key": b"k", "value": b"v", "headers": headers}, {"key": None, "value": None}, {"key": b"", "value": b""}])
    full, null, empty = read_all(name, 3)
    equal(full.headers(), headers)
    equal((null.key(), null.value()), (None, None))
    equal((empty.key(), empty.value()), (b"", b""))


@case
def key_decides_partition():
    name = topic(5)
    delivered = produce(name, [{"key": b"k%d" % (i % 20), "value": b"v"} for i in range(200)], partitioner="murmur2_random")
    places = {}
    for message in delivered:
        places.setdefault(message.key(), set()).add(message.partition())
    equal({len(found) for found in places.values()}, {1})
    assert len(set.union(*places.values())) > 1


@case
def idempotent_producer():
    name = topic()
    delivered = produce(name, [{"value": value} for value in numbers(3000)], enable_idempotence=True)
    equal(sorted(message.offset() for message in delivered), list(range(3000)))
    equal(values(read_all(name, 3000)), numbers(3000))


@case
def large_message():
    name = topic(max_message_bytes="6000000")
    payload = os.urandom(5000000)
    produce(name, [{"value": payload}], message_max_bytes=6000000)
    equal(values(read_all(name, 1, fetch_message_max_bytes=10000)), [payload])


@case
def too_large_is_refused():
    name = topic(max_message_bytes="1000")
    try:
        produce(name, [{"value": os.urandom(4000)}])
    except KafkaException as error:
        equal(error.args[0].code(), KafkaError.MSG_SIZE_TOO_LARGE)
    else:
        raise AssertionError("accepted")


@case
def timestamps():
    name = topic(retention_ms="-1")
    base = 1700000000000
    produce(name, [{"value": b"v", "timestamp": base + i * 1000} for i in range(10)])
    equal([message.timestamp() for message in read_all(name, 10)], [(1, base + i * 1000) for i in range(10)])
    client = consumer()
    found = client.offsets_for_times([TopicPartition(name, 0, base + 4500)], 20)
    equal(found[0].offset, 5)
    found = client.offsets_for_times([TopicPartition(name, 0, base + 99000)], 20)
    equal(found[0].offset, OFFSET_END)
    client.close()


@case
def log_append_time():
    name = topic(message_timestamp_type="LogAppendTime")
    before = int(time.time() * 1000)
    produce(name, [{"value": b"v", "timestamp": 5}])
    kind, stamp = read_all(name, 1)[0].timestamp()
    equal(kind, 2)
    assert before - 1000 <= stamp <= int(time.time() * 1000) + 1000, stamp


@case
def seek_and_watermarks():
    name = topic()
    produce(name, [{"value": value} for value in numbers(60)])
    partition = TopicPartition(name, 0)
    client = consumer()
    client.assign([TopicPartition(name, 0, OFFSET_BEGINNING)])
    read(client, 60)
    client.seek(TopicPartition(name, 0, 33))
    equal(read(client, 1)[0].value(), b"33")
    equal(client.get_watermark_offsets(partition, 20), (0, 60))
    client.close()


@case
def pause_and_resume():
    name = topic()
    partition = TopicPartition(name, 0, OFFSET_BEGINNING)
    client = consumer()
    client.assign([partition])
    client.pause([partition])
    produce(name, [{"value": b"v"}])
    assert client.poll(0.7) is None
    client.resume([partition])
    equal(values(read(client, 1)), [b"v"])
    client.close()


@case
def reset_to_error_is_told():
    name = topic()
    client = consumer(auto_offset_reset="error")
    client.assign([TopicPartition(name, 0, 5000)])
    codes = []

    def told():
        message = client.poll(0.2)
        if message is not None and message.error():
            codes.append(message.error().code())
        return codes

    until("an error", told)
    equal(codes[0], KafkaError._AUTO_OFFSET_RESET)
    client.close()


@case
def unknown_topic_is_told():
    client = consumer(allow_auto_create_topics=False)
    client.subscribe([fresh("missing")])
    codes = []

    def told():
        message = client.poll(0.2)
        if message is not None and message.error():
            codes.append(message.error().code())
        return codes

    until("an error", told)
    equal(codes[0], KafkaError.UNKNOWN_TOPIC_OR_PART)
    client.close()


@case
def group_goes_on_where_it_committed():
    name, group = topic(), fresh("group")
    produce(name, [{"value": value} for value in numbers(10)])
    client = consumer(group)
    client.subscribe([name])
    messages = read(client, 4)
    client.commit(message=messages[3], asynchronous=False)
    equal(client.committed([TopicPartition(name, 0)], timeout=20)[0].offset, 4)
    client.close()
    client = consumer(group)
    client.subscribe([name])
    equal(values(read(client, 6)), numbers(10)[4:])
    client.close()


@cases(["range", "roundrobin", "cooperative-sticky"])
def two_members_share(strategy):
    name, group = topic(4), fresh("group")
    one = consumer(group, partition_assignment_strategy=strategy)
    two = consumer(group, partition_assignment_strategy=strategy)
    one.subscribe([name])

    def sizes(*clients):
        for client in clients:
            client.poll(0.1)
        return [len(client.assignment()) for client in clients]

    until("one has all", lambda: sizes(one) == [4])
    two.subscribe([name])
    until("both have two", lambda: sizes(one, two) == [2, 2])
    equal({p.partition for p in one.assignment()} & {p.partition for p in two.assignment()}, set())
    two.close()
    until("one has all again", lambda: sizes(one) == [4])
    one.close()


@case
def static_member_comes_back():
    name, group = topic(2), fresh("group")
    produce(name, [{"value": b"v", "partition": i} for i in range(2)])
    for _ in range(2):
        client = consumer(group, group_instance_id="instance")
        client.subscribe([name])
        read(client, 2)
        client.close()


@case
def pattern_picks_up_new_topic():
    prefix = fresh("pattern")

    def create(suffix):
        ADMIN.create_topics([NewTopic(prefix + suffix, 1, 1)])[prefix + suffix].result(30)
        until("topic is known", lambda: prefix + suffix in ADMIN.list_topics(timeout=10).topics)
        produce(prefix + suffix, [{"value": suffix.encode()}])

    create("a")
    client = consumer()
    client.subscribe([f"^{prefix}.*"])
    equal(values(read(client, 1)), [b"a"])
    create("b")
    # The first topic is read again after the rebalance, since nothing was committed.
    until("a message of the new topic", lambda: values(read(client, 1)) == [b"b"])
    client.close()


@case
def admin_partitions():
    name = topic()
    ADMIN.create_partitions([NewPartitions(name, 4)])[name].result(30)
    until("four partitions", lambda: len(ADMIN.list_topics(name, 10).topics[name].partitions) == 4)


@case
def admin_configs():
    name = topic()
    resource = ConfigResource("topic", name, set_config={"retention.ms": "12345"})
    ADMIN.alter_configs([resource])[resource].result(30)

    def value():
        asked = ConfigResource("topic", name)
        return ADMIN.describe_configs([asked])[asked].result(30)["retention.ms"].value

    until("new value", lambda: value() == "12345")
    broker = str(next(iter(ADMIN.list_topics(timeout=10).brokers)))
    asked = ConfigResource("broker", broker)
    assert "log.retention.ms" in ADMIN.describe_configs([asked])[asked].result(30)


@case
def admin_refusals():
    name = topic()
    for wrong, code in ((name, KafkaError.TOPIC_ALREADY_EXISTS), ("no good!", KafkaError.TOPIC_EXCEPTION)):
        try:
            ADMIN.create_topics([NewTopic(wrong, 1, 1)])[wrong].result(30)
        except KafkaException as error:
            equal(error.args[0].code(), code)
        else:
            raise AssertionError("created")


@case
def admin_delete():
    name = topic()
    ADMIN.delete_topics([name])[name].result(30)
    until("topic is gone", lambda: name not in ADMIN.list_topics(timeout=10).topics)


@case
def admin_groups():
    name, group = topic(), fresh("group")
    client = consumer(group)
    client.subscribe([name])
    until("assigned", lambda: client.poll(0.1) is None and client.assignment())
    listed = ADMIN.list_groups(group, timeout=20)
    equal((listed[0].id, listed[0].state, len(listed[0].members)), (group, "Stable", 1))
    client.close()


if __name__ == "__main__":
    run()
