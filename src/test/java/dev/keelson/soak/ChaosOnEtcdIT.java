package dev.keelson.soak;

import dev.keelson.soak.Chaos.Fault;
import dev.keelson.testing.EtcdProcess;
import dev.keelson.testing.FaultProxy;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;

class ChaosOnEtcdIT extends ChaosSuite {

  /** The two servers below have every fault of one as well. */
  @Test
  @EnabledIfSystemProperty(named = "keelson.chaos", matches = ".+")
  void operations_ofOneServer_areLinearizable(@TempDir Path directory) throws Exception {
    run("etcd", List.of("server"), directory);
  }

  @Test
  void operations_ofTwoServersOnOneEtcd_areLinearizable(@TempDir Path directory) throws Exception {
    run("etcd-two-servers", List.of("server-1", "server-2"), directory);
  }

  private static void run(String log, List<String> names, Path directory) throws Exception {
    List<FaultProxy> networks = new ArrayList<>();
    List<Server> servers = new ArrayList<>();
    try (EtcdProcess etcd = EtcdProcess.create().start()) {
      try {
        List<Fault> faults = new ArrayList<>(ChaosFaults.etcd(etcd));
        for (String name : names) {
          FaultProxy network = FaultProxy.to(etcd.clientPort());
          networks.add(network);
          faults.addAll(ChaosFaults.network("etcd's network of " + name, network));
          String endpoint = network.endpoint("http").toString();
          servers.add(new Server(name, directory, List.of(COMPACTION, "--etcd-servers", endpoint)));
        }
        chaos(
            log, servers, faults, () -> networks.forEach(network -> network.delay(Duration.ZERO)));
      } finally {
        servers.forEach(Server::close);
        networks.forEach(FaultProxy::close);
      }
    }
  }
}
