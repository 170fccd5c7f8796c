package dev.ottla.bench.side;

import dev.ottla.bench.report.Sample;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/// Ottla as a user starts it, from the tree at `root`, which is built already.
public record Ottla(Path root) implements Side {
    @Override
    public String name() {
        return Sample.OTTLA;
    }

    @Override
    public void prepare(Path dataDir, Member member) {}

    @Override
    public List<String> command(Path dataDir, Member member) {
        List<String> command =
                new ArrayList<>(
                        List.of(
                                root.resolve("ottla").toString(),
                                "start",
                                "--port",
                                Integer.toString(member.port()),
                                "--data-dir",
                                dataDir.toString(),
                                "--set",
                                "metrics.port=0",
                                "--set",
                                "group.initial.rebalance.delay.ms=0"));
        if (!member.isAlone()) {
            command.addAll(List.of("--node-id", Integer.toString(member.id())));
            if (member.id() > 1) {
                command.addAll(List.of("--join", "127.0.0.1:" + member.ports().getFirst()));
            }
        }
        return command;
    }

    @Override
    public Map<String, String> topicConfig(Durability durability) {
        return switch (durability) {
            case PAGE_CACHE -> Map.of("flush.policy", "page-cache");
            case FSYNC -> Map.of("flush.policy", "fsync");
        };
    }

    @Override
    public String settings() {
        return "Ottla: as `./ottla start` runs it; topics with `flush.policy=page-cache`, or `fsync` where a row says so.";
    }
}
