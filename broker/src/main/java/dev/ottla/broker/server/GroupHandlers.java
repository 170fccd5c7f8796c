package dev.ottla.broker.server;

import dev.ottla.broker.coordinator.GroupCoordinators;
import dev.ottla.broker.handler.cluster.AutoTopicCreation;
import dev.ottla.broker.handler.cluster.ClusterView;
import dev.ottla.broker.handler.group.ConsumerGroupDescribeHandler;
import dev.ottla.broker.handler.group.ConsumerGroupHeartbeatHandler;
import dev.ottla.broker.handler.group.DeleteGroupsHandler;
import dev.ottla.broker.handler.group.DescribeGroupsHandler;
import dev.ottla.broker.handler.group.FindCoordinatorHandler;
import dev.ottla.broker.handler.group.HeartbeatHandler;
import dev.ottla.broker.handler.group.JoinGroupHandler;
import dev.ottla.broker.handler.group.LeaveGroupHandler;
import dev.ottla.broker.handler.group.ListGroupsHandler;
import dev.ottla.broker.handler.group.OffsetCommitHandler;
import dev.ottla.broker.handler.group.OffsetDeleteHandler;
import dev.ottla.broker.handler.group.OffsetFetchHandler;
import dev.ottla.broker.handler.group.SyncGroupHandler;
import dev.ottla.broker.request.ApiHandler;
import dev.ottla.config.GroupKeys;
import dev.ottla.metadata.Features;
import java.util.List;
import java.util.function.BooleanSupplier;

/// Makes the handlers of the group APIs.
final class GroupHandlers {
    private static final String CONSUMER = "consumer";

    private GroupHandlers() {}

    static List<ApiHandler<?>> create(BrokerServices services) {
        ClusterView cluster =
                new ClusterView(services.nodeId(), services.image(), services.addresses());
        GroupCoordinators groups = services.groups();
        AutoTopicCreation creation = services.autoCreation();
        BooleanSupplier consumerProtocol = () -> offersConsumerProtocol(services);
        return List.of(
                new FindCoordinatorHandler(cluster, groups, creation),
                new JoinGroupHandler(groups),
                new SyncGroupHandler(groups),
                new HeartbeatHandler(groups),
                new LeaveGroupHandler(groups),
                new OffsetCommitHandler(cluster, groups),
                new OffsetFetchHandler(cluster, groups),
                new OffsetDeleteHandler(cluster, groups),
                new DescribeGroupsHandler(groups),
                new ListGroupsHandler(groups),
                new DeleteGroupsHandler(groups),
                new ConsumerGroupHeartbeatHandler(groups, consumerProtocol),
                new ConsumerGroupDescribeHandler(cluster, groups, consumerProtocol));
    }

    /// The operator and the cluster's feature level must both allow it.
    private static boolean offersConsumerProtocol(BrokerServices services) {
        return services.config()
                        .broker()
                        .value(GroupKeys.GROUP_COORDINATOR_REBALANCE_PROTOCOLS)
                        .contains(CONSUMER)
                && services.image().get().featureLevel(Features.GROUP_VERSION) > 0;
    }
}
