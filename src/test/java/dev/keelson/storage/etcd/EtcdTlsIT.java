package dev.keelson.storage.etcd;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.keelson.storage.Bytes;
import dev.keelson.storage.Change;
import dev.keelson.storage.ChangeFeed;
import dev.keelson.storage.KeyRange;
import dev.keelson.storage.StorageException;
import dev.keelson.storage.Write;
import dev.keelson.storage.WriteOutcome;
import dev.keelson.testing.EtcdProcess;
import dev.keelson.testing.EtcdUsers;
import dev.keelson.testing.TestCertificates;
import dev.keelson.testing.TestCertificates.KeyForm;
import dev.keelson.testing.TestCertificates.Pair;
import io.etcd.jetcd.ByteSequence;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Against an etcd that asks for client certificates. */
@Timeout(120)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class EtcdTlsIT {

  private final Path directory;
  private final TestCertificates certificates;
  private final EtcdProcess etcd;

  EtcdTlsIT(@TempDir Path directory) {
    this.directory = directory;
    certificates = TestCertificates.in(directory);
    etcd = EtcdProcess.create(certificates).start();
  }

  @AfterAll
  void stop() {
    etcd.close();
  }

  private EtcdOptions options(EtcdTls tls) {
    return EtcdOptions.defaults(List.of(etcd.endpoint()))
        .withTls(tls)
        .withDeadline(Duration.ofSeconds(30));
  }

  private EtcdTls tls(Pair client) {
    return new EtcdTls(certificates.authority(), client.certificate(), client.key());
  }

  @ParameterizedTest
  @EnumSource
  void clientCertificate_withAnyFormOfKey_isAccepted(KeyForm form) throws Exception {
    Pair client = certificates.issue("client-" + form, form);
    try (EtcdStore store = EtcdStore.open(options(tls(client)))) {
      long start = store.revision();
      Bytes key = Bytes.utf8("/tls/" + form);

      assertThat(store.write(Write.put(key, Bytes.utf8("v"), Write.ABSENT)))
          .isInstanceOf(WriteOutcome.Applied.class);

      try (ChangeFeed feed = store.feed(KeyRange.single(key), start)) {
        ChangeFeed.Batch batch = feed.next(Duration.ofSeconds(60));
        assertThat(batch)
            .isNotNull()
            .extracting(ChangeFeed.Batch::changes, InstanceOfAssertFactories.LIST)
            .hasSize(1);
      }
    }
  }

  @Test
  void withoutAClientCertificate_isUnavailable() {
    EtcdTls noClient = new EtcdTls(certificates.authority(), null, null);
    try (EtcdStore store = EtcdStore.open(options(noClient).withDeadline(Duration.ofSeconds(1)))) {
      assertThatThrownBy(store::revision).isInstanceOf(StorageException.Unavailable.class);
    }
  }

  @Test
  void serverOfAnUnknownAuthority_isUnavailable() {
    Pair client = certificates.issue("client-of-system", KeyForm.PKCS8_EC);
    EtcdTls untrusting = new EtcdTls(null, client.certificate(), client.key());
    try (EtcdStore store =
        EtcdStore.open(options(untrusting).withDeadline(Duration.ofSeconds(1)))) {
      assertThatThrownBy(store::revision).isInstanceOf(StorageException.Unavailable.class);
    }
  }

  @Test
  void open_withUnusableFiles_namesTheFile() throws IOException {
    Path empty = Files.writeString(directory.resolve("empty.pem"), "nothing");
    Path missing = directory.resolve("missing.pem");

    assertThatThrownBy(() -> EtcdStore.open(options(new EtcdTls(empty, null, null))))
        .isInstanceOf(StorageException.Unavailable.class)
        .hasMessageContaining("empty.pem");
    assertThatThrownBy(() -> EtcdStore.open(options(new EtcdTls(missing, null, null))))
        .isInstanceOf(StorageException.Unavailable.class)
        .hasMessageContaining("missing.pem");
    Pair client = certificates.issue("client-without-key", KeyForm.PKCS8_EC);
    assertThatThrownBy(
            () ->
                EtcdStore.open(
                    options(new EtcdTls(certificates.authority(), client.certificate(), empty))))
        .isInstanceOf(StorageException.Unavailable.class)
        .hasMessageContaining("empty.pem");
  }

  /** A feed of an old version watches all keys where it may, and goes on with its own if not. */
  @Test
  void feed_ofAUserWithRightsOnItsRangeAlone_goesOn() throws Exception {
    Bytes prefix = Bytes.utf8("/tenant/");
    try (EtcdProcess guarded = EtcdProcess.create(certificates).start();
        EtcdUsers users = EtcdUsers.of(guarded, certificates)) {
      Pair tenant = users.add("tenant");
      users.grant("tenant", "/tenant/", "/tenant0");
      EtcdOptions options =
          EtcdOptions.defaults(List.of(guarded.endpoint()))
              .withTls(tls(tenant))
              .withRevisionKey(prefix)
              .withDeadline(Duration.ofSeconds(30));

      try (EtcdStore store = EtcdStore.open(options, version -> false);
          ChangeFeed feed = store.feed(KeyRange.prefix(prefix), 1)) {
        assertThat(store.revision()).isEqualTo(1);
        // until it has tried to watch all keys, and after
        assertThat(feed.next(Duration.ofSeconds(4))).isNull();
        ByteSequence other = EtcdUsers.bytes("/other");
        assertThat(users.keys().put(other, other).get().hasPrevKv()).isFalse();
        assertThat(feed.next(Duration.ofSeconds(2))).as("progress by a key of others").isNull();
        for (String each : List.of("a", "b")) {
          Bytes key = Bytes.utf8("/tenant/" + each);
          WriteOutcome written = store.write(Write.put(key, Bytes.utf8("v"), Write.ABSENT));
          assertThat(written).isInstanceOf(WriteOutcome.Applied.class);
          long revision = ((WriteOutcome.Applied) written).revision();

          ChangeFeed.Batch batch = feed.next(Duration.ofSeconds(60));

          assertThat(batch)
              .isNotNull()
              .satisfies(
                  one -> {
                    assertThat(one.revision()).isEqualTo(revision);
                    assertThat(one.changes()).extracting(Change::key).containsExactly(key);
                  });
        }
      }
    }
  }
}
