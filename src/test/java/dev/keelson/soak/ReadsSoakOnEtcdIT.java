package dev.keelson.soak;

import dev.keelson.testing.EtcdProcess;
import dev.keelson.testing.FaultProxy;
import dev.keelson.testing.KeelsonProcess;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ReadsSoakOnEtcdIT extends ReadsSoakSuite {

  @Test
  void reads_areOneHistory(@TempDir Path directory) throws Exception {
    try (EtcdProcess etcd = EtcdProcess.create().start();
        FaultProxy proxy = FaultProxy.to(etcd.clientPort());
        KeelsonProcess server =
            KeelsonProcess.start(
                directory,
                List.of(COMPACTION, "--etcd-servers", proxy.endpoint("http").toString()))) {
      Fault cut = new Fault("cut", proxy::cut);
      Fault hold =
          new Fault(
              "hold",
              () -> {
                proxy.hold(FaultProxy.Way.TO_CLIENT);
                Thread.sleep(700);
                proxy.release();
              });
      Fault killed =
          new Fault(
              "etcd killed",
              () -> {
                etcd.kill();
                etcd.start();
              });
      soak(server, List.of(cut, hold, restart(server), killed, cut, kill(server)));
    }
  }
}
