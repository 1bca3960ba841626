package dev.keelson.blackbox;

import dev.keelson.testing.KeelsonProcess;
import dev.keelson.testing.ServedBy;
import dev.keelson.testing.ServedBy.Backend;

@ServedBy(Backend.ETCD)
class ChannelUpgradeOnEtcdIT extends ChannelUpgradeSuite {
  ChannelUpgradeOnEtcdIT(KeelsonProcess server) {
    super(server);
  }
}
