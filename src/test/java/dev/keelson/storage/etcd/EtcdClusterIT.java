package dev.keelson.storage.etcd;

import static dev.keelson.testing.Eventually.assertEventually;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.keelson.storage.Bytes;
import dev.keelson.storage.Change;
import dev.keelson.storage.ChangeFeed;
import dev.keelson.storage.KeyRange;
import dev.keelson.storage.RevisionedStore;
import dev.keelson.storage.StorageException;
import dev.keelson.storage.Write;
import dev.keelson.storage.WriteOutcome;
import dev.keelson.testing.EtcdProcess;
import dev.keelson.testing.FaultProxy;
import io.etcd.jetcd.Client;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;

/** A cluster of three members that loses its leader, one whose members are cut off, a full one. */
class EtcdClusterIT {

  private static final KeyRange RANGE = KeyRange.prefix(Bytes.utf8("/r/"));
  private static final int WRITES = 30;

  private static void startAll(List<EtcdProcess> members) throws Exception {
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Future<EtcdProcess>> started = new ArrayList<>();
      members.forEach(member -> started.add(threads.submit(member::start)));
      for (Future<EtcdProcess> member : started) {
        EtcdProcess unused = member.get();
      }
    }
  }

  private static Bytes key(int number) {
    return Bytes.utf8("/r/" + number);
  }

  /** Creates a key; tries again until it exists, as a client does. */
  private static void create(RevisionedStore store, int number) {
    assertEventually(
        () -> {
          try {
            WriteOutcome unused =
                store.write(Write.put(key(number), Bytes.utf8("v"), Write.ABSENT));
          } catch (StorageException.UnknownOutcome | StorageException.Unavailable e) {
            // the read tells
          }
          assertThat(store.get(key(number), RevisionedStore.NEWEST).entry()).isNotNull();
        });
  }

  /** Reads the feed until it has every key that was created. */
  private static void assertDeliversAll(ChangeFeed feed, int count) throws InterruptedException {
    Set<Bytes> seen = new HashSet<>();
    long last = 0;
    while (seen.size() < count) {
      ChangeFeed.Batch batch = feed.next(Duration.ofSeconds(1));
      if (batch == null) {
        continue;
      }
      for (Change change : batch.changes()) {
        assertThat(change.revision()).isGreaterThan(last);
        last = change.revision();
        assertThat(seen.add(change.key())).as("%s is delivered once", change.key()).isTrue();
      }
    }
  }

  @Test
  void leaderThatIsKilled_stopsWritesForSeconds_andFeedsLoseNothing() throws Exception {
    List<EtcdProcess> members = EtcdProcess.cluster(3);
    try {
      startAll(members);
      List<URI> endpoints = members.stream().map(EtcdProcess::endpoint).toList();
      try (EtcdStore store = EtcdStore.open(EtcdOptions.defaults(endpoints));
          ChangeFeed feed = store.feed(RANGE, store.revision())) {
        for (int i = 0; i < WRITES; i++) {
          if (i == WRITES / 3) {
            EtcdProcess leader =
                members.stream().filter(EtcdProcess::leads).findFirst().orElseThrow();
            leader.kill();
          }
          create(store, i);
        }

        assertDeliversAll(feed, WRITES);
        assertThat(store.range(RANGE, RevisionedStore.NEWEST, 1).count()).isEqualTo(WRITES);
      }
    } finally {
      members.forEach(EtcdProcess::close);
    }
  }

  @Test
  void memberThatIsCutOff_isLeftForAnother() throws Exception {
    List<EtcdProcess> members = EtcdProcess.cluster(3);
    List<FaultProxy> proxies = new ArrayList<>();
    try {
      startAll(members);
      for (EtcdProcess member : members) {
        proxies.add(FaultProxy.to(member.clientPort()));
      }
      List<URI> endpoints = proxies.stream().map(proxy -> proxy.endpoint("http")).toList();
      try (EtcdStore store =
              EtcdStore.open(EtcdOptions.defaults(endpoints).withDeadline(Duration.ofSeconds(4)));
          ChangeFeed feed = store.feed(RANGE, store.revision())) {
        for (int i = 0; i < WRITES; i++) {
          if (i % 10 == 5) {
            // each member once
            FaultProxy away = proxies.get(i / 10);
            away.refuse();
            away.cut();
          }
          create(store, i);
          if (i % 10 == 9) {
            proxies.get(i / 10).admit();
          }
        }

        assertDeliversAll(feed, WRITES);
      }
    } finally {
      for (FaultProxy proxy : proxies) {
        proxy.close();
      }
      members.forEach(EtcdProcess::close);
    }
  }

  @Test
  void slowMember_isWaitedForUntilTheDeadline() throws Exception {
    try (EtcdProcess etcd = EtcdProcess.create().start();
        FaultProxy proxy = FaultProxy.to(etcd.clientPort());
        EtcdStore store =
            EtcdStore.open(
                EtcdOptions.defaults(List.of(proxy.endpoint("http")))
                    .withDeadline(Duration.ofSeconds(3)))) {
      create(store, 0);

      proxy.delay(Duration.ofMillis(200));
      assertThat(store.get(key(0), RevisionedStore.NEWEST).entry()).isNotNull();

      proxy.stall();
      long begin = System.nanoTime();
      assertThatThrownBy(store::revision).isInstanceOf(StorageException.Unavailable.class);
      // the deadline is 3 s; what is above is the patience with this machine
      assertThat(Duration.ofNanos(System.nanoTime() - begin)).isLessThan(Duration.ofSeconds(20));
    }
  }

  @Test
  void fullEtcd_refusesWrites_servesReads_andRecovers() throws Exception {
    try (EtcdProcess etcd =
            EtcdProcess.create(List.of("--quota-backend-bytes", "2097152")).start();
        EtcdStore store = EtcdStore.open(EtcdOptions.defaults(List.of(etcd.endpoint())));
        ChangeFeed feed = store.feed(RANGE, store.revision())) {
      create(store, 0);
      Bytes large = Bytes.wrap(new byte[400_000]);

      assertThatThrownBy(
              () -> {
                while (true) {
                  long revision = revisionOf(store, 0);
                  WriteOutcome unused = store.write(Write.put(key(0), large, revision));
                }
              })
          .isInstanceOf(StorageException.NoSpace.class)
          .hasMessage("etcdserver: mvcc: database space exceeded");
      assertThatThrownBy(() -> store.grantLease(Duration.ofMinutes(1)))
          .isInstanceOf(StorageException.NoSpace.class);
      assertThat(store.get(key(0), RevisionedStore.NEWEST).entry()).isNotNull();
      // a delete needs no space
      long newest = revisionOf(store, 0);
      assertThat(store.write(Write.delete(key(0), newest)))
          .isInstanceOf(WriteOutcome.Applied.class);
      long deleted = store.revision();
      long reached = 0;
      while (reached < deleted) {
        ChangeFeed.Batch batch = feed.next(Duration.ofSeconds(1));
        reached = batch == null ? reached : batch.revision();
      }

      store.compact(deleted);
      freeSpace(etcd);
      create(store, 1);
    }
  }

  private static long revisionOf(RevisionedStore store, int number) {
    var entry = store.get(key(number), RevisionedStore.NEWEST).entry();
    assertThat(entry).isNotNull();
    return entry == null ? Write.ABSENT : entry.modRevision();
  }

  /** What an operator does with etcdctl. */
  private static void freeSpace(EtcdProcess etcd) {
    try (Client client = Client.builder().endpoints(etcd.endpoint()).build()) {
      var maintenance = client.getMaintenanceClient();
      assertEventually(
          () -> {
            var unused =
                maintenance.defragmentMember("ip:///" + etcd.endpoint().getAuthority()).join();
            for (var alarm : maintenance.listAlarms().join().getAlarms()) {
              assertThat(maintenance.alarmDisarm(alarm).join()).isNotNull();
            }
            assertThat(maintenance.listAlarms().join().getAlarms()).isEmpty();
          });
    }
  }
}
