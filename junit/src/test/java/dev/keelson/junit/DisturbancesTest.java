package dev.keelson.junit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.keelson.junit.KeelsonTest.Isolation;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.Event;
import io.fabric8.kubernetes.api.model.EventBuilder;
import io.fabric8.kubernetes.api.model.batch.v1.CronJobBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.Watch;
import io.fabric8.kubernetes.client.Watcher;
import io.fabric8.kubernetes.client.WatcherException;
import io.fabric8.kubernetes.client.informers.SharedIndexInformer;
import java.time.Duration;
import java.time.Instant;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.junit.jupiter.api.Test;

/** Faults and time, which no other test shall see: a server of its own. */
@KeelsonTest(isolation = Isolation.SERVER)
class DisturbancesTest {

  private final KeelsonServer server;
  private final KubernetesClient client;
  private final String namespace;

  DisturbancesTest(
      KeelsonServer server, KubernetesClient client, @KeelsonTest.Namespace String namespace) {
    this.server = server;
    this.client = client;
    this.namespace = namespace;
  }

  private ConfigMap create(String name) {
    ConfigMap object = KeelsonServerTest.configMap(name);
    object.getMetadata().setNamespace(namespace);
    return client.resource(object).create();
  }

  @Test
  void conflicts_areAsManyAsAsked_andAudited(AuditLog audit) {
    ConfigMap made = create("contested");
    made.getData().put("k", "w");
    try (Faults.Active conflicts =
        server.faults().on("update", "patch").resource("configmaps").times(2).conflict()) {
      for (int i = 0; i < 2; i++) {
        assertThatThrownBy(() -> client.resource(made).update())
            .isInstanceOfSatisfying(
                KubernetesClientException.class,
                refused -> {
                  assertThat(refused.getCode()).isEqualTo(409);
                  assertThat(refused.getStatus().getReason()).isEqualTo("Conflict");
                });
      }
      assertThat(client.resource(made).update().getData()).containsEntry("k", "w");
      assertThat(conflicts.hits()).isEqualTo(2);
    }
    audit.all().resource("configmaps").name("contested").code(409).exactly(2);
  }

  @Test
  void refusals_endWithTheirFault() {
    for (int code : new int[] {500, 503}) {
      try (Faults.Active fault =
          code == 500
              ? server.faults().on("create").resource("configmaps").internalError()
              : server.faults().on("create").resource("configmaps").unavailable()) {
        try (KubernetesClient once = withoutRetries()) {
          ConfigMap object = KeelsonServerTest.configMap("refused");
          assertThatThrownBy(() -> once.resource(object).create())
              .isInstanceOfSatisfying(
                  KubernetesClientException.class,
                  refused -> assertThat(refused.getCode()).isEqualTo(code));
        }
        assertThat(fault.hits()).isPositive();
      }
    }
    assertThat(create("accepted-" + namespace)).isNotNull();
  }

  private KubernetesClient withoutRetries() {
    var config = io.fabric8.kubernetes.client.Config.fromKubeconfig(server.admin().kubeconfig());
    config.setRequestRetryBackoffLimit(0);
    config.setConnectionTimeout(60_000);
    config.setRequestTimeout(60_000);
    return new io.fabric8.kubernetes.client.KubernetesClientBuilder().withConfig(config).build();
  }

  @Test
  void client_retriesAfter429(AuditLog audit) {
    try (Faults.Active fault =
        server.faults().on("create").resource("configmaps").times(1).tooManyRequests(1)) {
      create("throttled");
      assertThat(fault.hits()).isEqualTo(1);
    }
    audit.all().verb("create").resource("configmaps").code(429).exactly(1);
    audit.all().verb("create").resource("configmaps").code(201).exactly(1);
  }

  /** The watch of a test that does not look at events. */
  private static final class Ignored implements Watcher<ConfigMap> {
    @Override
    public void eventReceived(Action action, ConfigMap object) {}

    @Override
    public void onClose(WatcherException cause) {}
  }

  @Test
  void watchesThatAreCutAndEnded_areNoErrorsInTheLog(AuditLog audit) {
    Queue<String> errors = new ConcurrentLinkedQueue<>();
    Logger logger = Logger.getLogger("dev.keelson.http.connection.LongRunningChannel");
    Handler handler =
        new Handler() {
          @Override
          public void publish(LogRecord entry) {
            errors.add(entry.getMessage());
          }

          @Override
          public void flush() {}

          @Override
          public void close() {}
        };
    logger.addHandler(handler);
    try (Watch watch = client.configMaps().watch(new Ignored())) {
      assertThat(watch).isNotNull();
      server.faults().cutConnections();
      server.faults().endWatches();
      audit.all().verb("watch").resource("configmaps").atLeast(1);
    } finally {
      logger.removeHandler(handler);
    }
    assertThat(errors).isEmpty();
  }

  @Test
  void cutConnections_endWatches_andInformersGoOn(AuditLog audit) throws Exception {
    try (SharedIndexInformer<ConfigMap> informer = client.configMaps().inform()) {
      AuditLog.Selection ended = audit.all().verb("watch").resource("configmaps");
      int before = ended.events().size();
      server.faults().cutConnections();
      ended.atLeast(before + 1);
      create("after-the-cut");
      Eventually.until(
          "the informer has it",
          () -> informer.getIndexer().getByKey(namespace + "/after-the-cut") != null);

      before = ended.events().size();
      server.faults().endWatches();
      ended.atLeast(before + 1);
      create("after-the-end");
      Eventually.until(
          "the informer has it",
          () -> informer.getIndexer().getByKey(namespace + "/after-the-end") != null);
    }
  }

  @Test
  void slowStore_delaysWrites() throws Exception {
    Duration delay = Duration.ofMillis(300);
    long begin = System.nanoTime();
    try (AutoCloseable slow = server.faults().slowStore(Duration.ZERO, delay)) {
      assertThat(slow).isNotNull();
      create("slow");
    }
    assertThat(System.nanoTime() - begin).isGreaterThanOrEqualTo(delay.toNanos());
  }

  @Test
  void time_endsEvents_andStartsCronJobs() throws Exception {
    Event event =
        new EventBuilder()
            .withNewMetadata()
            .withName("short-lived")
            .withNamespace(namespace)
            .endMetadata()
            .withNewInvolvedObject()
            .withKind("ConfigMap")
            .withNamespace(namespace)
            .withName("x")
            .endInvolvedObject()
            .withReason("Tested")
            .build();
    client.resource(event).create();
    client
        .resource(
            new CronJobBuilder()
                .withNewMetadata()
                .withName("nightly")
                .withNamespace(namespace)
                .endMetadata()
                .withNewSpec()
                .withSchedule("0 3 * * *")
                .withNewJobTemplate()
                .withNewSpec()
                .withNewTemplate()
                .withNewSpec()
                .withRestartPolicy("Never")
                .addNewContainer()
                .withName("c")
                .withImage("i")
                .endContainer()
                .endSpec()
                .endTemplate()
                .endSpec()
                .endJobTemplate()
                .endSpec()
                .build())
        .create();
    assertThat(client.batch().v1().jobs().list().getItems()).isEmpty();

    server.advance(Duration.ofHours(25));

    assertThat(server.now()).isAfter(Instant.now().plus(Duration.ofHours(24)));
    Eventually.until(
        "the event is gone", () -> client.v1().events().withName("short-lived").get() == null);
    Eventually.until(
        "the CronJob has a Job", () -> !client.batch().v1().jobs().list().getItems().isEmpty());
    assertThatThrownBy(() -> server.advance(Duration.ofHours(-1)))
        .hasMessageContaining("time does not go back");
  }
}
