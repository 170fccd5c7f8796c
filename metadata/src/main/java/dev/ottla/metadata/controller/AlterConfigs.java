package dev.ottla.metadata.controller;

import dev.ottla.metadata.ConfigResource;
import java.util.List;

/// Steps to change the configuration of one resource; all are taken or none.
public record AlterConfigs(ConfigResource resource, List<ConfigOp> ops) {
    public AlterConfigs {
        ops = List.copyOf(ops);
    }
}
