package dev.keelson.blackbox;

import static dev.keelson.testing.Eventually.assertEventually;
import static org.assertj.core.api.Assertions.assertThat;

import dev.keelson.testing.EtcdProcess;
import dev.keelson.testing.EtcdUsers;
import dev.keelson.testing.KeelsonProcess;
import dev.keelson.testing.RestClient;
import dev.keelson.testing.TestCertificates;
import dev.keelson.testing.TestCertificates.Pair;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A server on an etcd with TLS whose user has rights to the server's own keys alone. */
@Timeout(120)
class EtcdUserIT {

  private static final String MAPS = "/api/v1/namespaces/default/configmaps";

  @Test
  void serverOfAUserWithRightsOnItsKeysAlone_servesAndCompacts(@TempDir Path directory)
      throws Exception {
    TestCertificates certificates =
        TestCertificates.in(Files.createDirectory(directory.resolve("certificates")));
    try (EtcdProcess etcd = EtcdProcess.create(certificates).start();
        EtcdUsers users = EtcdUsers.of(etcd, certificates)) {
      Pair tenant = users.add("tenant");
      users.grant("tenant", "/tenant/", "/tenant0");
      users.grant("tenant", "compact_rev_key", "compact_rev_key\0");
      List<String> flags =
          List.of(
              "--etcd-servers=" + etcd.endpoint(),
              "--etcd-prefix=/tenant",
              "--etcd-cafile=" + certificates.authority(),
              "--etcd-certfile=" + tenant.certificate(),
              "--etcd-keyfile=" + tenant.key(),
              "--etcd-compaction-interval=1s",
              KeelsonProcess.FEW_CONTROLLERS);
      try (KeelsonProcess server = KeelsonProcess.start(directory.resolve("server"), flags)) {
        RestClient admin = RestClient.administrator(server);

        assertThat(admin.post(MAPS, "{\"metadata\":{\"name\":\"a\"}}").statusCode()).isEqualTo(201);
        assertEventually(
            () -> assertThat(compacted(users)).as("the revision of a compaction").isGreaterThan(1));

        assertThat(admin.get(MAPS + "/a").statusCode()).isEqualTo(200);
        assertThat(admin.get("/readyz").statusCode()).isEqualTo(200);
        assertThat(server.log()).doesNotContain("WARN").doesNotContain("permission denied");
      }
      assertThat(users.keys().get(EtcdUsers.bytes("/registry")).get().getCount()).isZero();
    }
  }

  private static long compacted(EtcdUsers users) {
    var mark = users.keys().get(EtcdUsers.bytes("compact_rev_key")).join().getKvs();
    return mark.isEmpty() ? 0 : Long.parseLong(mark.getFirst().getValue().toString());
  }
}
