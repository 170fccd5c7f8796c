package dev.ottla.acceptance;

import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.admin.AlterConfigOp;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.common.config.ConfigResource;

/// Settings of one group, as an administrator sets them.
final class GroupConfigs {
    private GroupConfigs() {}

    static void set(Clients clients, String group, String key, String value) {
        ConfigResource resource = new ConfigResource(ConfigResource.Type.GROUP, group);
        AlterConfigOp operation =
                new AlterConfigOp(new ConfigEntry(key, value), AlterConfigOp.OpType.SET);
        Clients.get(
                clients.admin()
                        .incrementalAlterConfigs(Map.of(resource, List.of(operation)))
                        .all());
    }
}
