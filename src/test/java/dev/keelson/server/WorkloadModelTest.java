package dev.keelson.server;

import dev.keelson.client.election.LeaseTerms;
import dev.keelson.client.informer.ObjectName;
import dev.keelson.client.rest.ApiTransport;
import dev.keelson.controller.job.JobController;
import dev.keelson.controller.manager.ControllerContext;
import dev.keelson.controller.manager.ControllerFactory;
import dev.keelson.controller.manager.ControllerManager;
import dev.keelson.controller.podgc.NodeState;
import dev.keelson.controller.podgc.PodGarbageCollector;
import dev.keelson.controller.workload.JobFacts;
import dev.keelson.controller.workload.PodFacts;
import dev.keelson.model.WorkloadRun;
import dev.keelson.request.UserInfo;
import dev.keelson.server.controller.ControlPlane;
import dev.keelson.server.controller.EvictionMeters;
import dev.keelson.testing.Eventually;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.assertj.core.api.Assertions;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * The controllers of workloads under random changes, failures of pods, changes of the leader and
 * restarts of the server, against the models of {@link dev.keelson.model}. {@code
 * -Dkeelson.model.steps=10000} runs longer, {@code -Dkeelson.model.seed} repeats the choices of a
 * run.
 */
final class WorkloadModelTest {

  private static final ObjectName LEASE = new ObjectName("kube-system", "kube-controller-manager");
  private static final int STEPS = Integer.getInteger("keelson.model.steps", 60);
  private static final Set<String> MODELLED =
      Set.of(
          "deployment-controller",
          "replicaset-controller",
          "statefulset-controller",
          "daemonset-controller");

  /** A candidate, whose way to the Lease can be stalled. */
  private final class Candidate implements AutoCloseable {
    private final ControllerManager manager;
    private volatile CountDownLatch open = new CountDownLatch(0);

    Candidate(RestartedServer server, String identity) {
      ApiTransport own =
          server.transport(
              loopback ->
                  loopback.as(
                      new UserInfo(
                          "system:kube-controller-manager",
                          "",
                          List.of("system:authenticated"),
                          Map.of()),
                      identity));
      manager =
          new ControllerManager(
              new ControllerManager.Transports(
                  stalling(own),
                  own,
                  account ->
                      run.leaders()
                          .of(
                              identity,
                              server.transport(loopback -> loopback.serviceAccount(account)))),
              new LeaseTerms(
                  LEASE,
                  identity,
                  Duration.ofSeconds(3),
                  Duration.ofSeconds(2),
                  Duration.ofMillis(200)),
              controllers(),
              /* lost= */ null,
              InstantSource.system(),
              System::nanoTime);
      manager.start();
    }

    private ApiTransport stalling(ApiTransport next) {
      return new ApiTransport() {
        @Override
        public Answer send(Request request) throws IOException, InterruptedException {
          open.await();
          return next.send(request);
        }

        @Override
        public Answer send(Request request, TimeLimit limit) {
          throw new UnsupportedOperationException();
        }

        @Override
        public EventStream watch(Request request) {
          throw new UnsupportedOperationException();
        }
      };
    }

    void stall() {
      open = new CountDownLatch(1);
    }

    void resume() {
      open.countDown();
    }

    @Override
    public void close() {
      resume();
      manager.close();
    }
  }

  private final List<Candidate> candidates = new ArrayList<>();
  private int made;
  private RestartedServer server;
  private WorkloadRun run;

  /** The controllers as in a server, but for how long Jobs wait after a failure. */
  private static List<ControllerFactory> controllers() {
    return Stream.concat(
            ControlPlane.controllers(
                    CustomTypesContract.options(List.of()).controllers(),
                    null,
                    new EvictionMeters(new SimpleMeterRegistry()))
                .stream()
                .filter(each -> MODELLED.contains(each.name())),
            Stream.of(
                new ControllerFactory(JobController.NAME, WorkloadModelTest::jobs),
                new ControllerFactory(PodGarbageCollector.NAME, WorkloadModelTest::podGarbage)))
        .toList();
  }

  private static JobController jobs(ControllerContext context) {
    return new JobController(
        context.client(JobController.NAME),
        context.informers().of(PodFacts.TYPE),
        context.informers().of(JobFacts.TYPE),
        context.clock(),
        context.nanos(),
        Duration.ofMillis(1));
  }

  private static PodGarbageCollector podGarbage(ControllerContext context) {
    return new PodGarbageCollector(
        context.client(PodGarbageCollector.NAME),
        context.informers().of(PodFacts.TYPE),
        context.informers().of(NodeState.TYPE),
        context.clock(),
        context.nanos(),
        /* mostEnded= */ 12_500,
        Duration.ofMillis(100),
        Duration.ofMillis(300));
  }

  private void addCandidate() {
    candidates.add(new Candidate(server, "candidate-" + made++));
  }

  private final class Faults implements WorkloadRun.Faults {

    @Override
    public String changeLeader(Random random) {
      Candidate leader =
          candidates.stream().filter(each -> each.manager.leading()).findFirst().orElse(null);
      if (leader == null) {
        return "none to change";
      }
      if (random.nextBoolean()) {
        candidates.remove(leader);
        leader.close();
        addCandidate();
        return "shut down";
      }
      leader.stall();
      Eventually.assertEventually(
          () ->
              Assertions.assertThat(candidates)
                  .anyMatch(each -> each != leader && each.manager.leading()));
      leader.resume();
      return "stalled";
    }

    @Override
    public void restartServer() {
      server.restart();
    }
  }

  @BeforeEach
  void start(@TempDir Path directory) {
    long seed = Long.getLong("keelson.model.seed", System.nanoTime());
    System.out.printf("model of workloads: -Dkeelson.model.seed=%d, %d steps%n", seed, STEPS);
    server = new RestartedServer(directory);
    UserInfo master = new UserInfo("master", "", List.of("system:masters"), Map.of());
    ApiTransport user = server.transport(loopback -> loopback.as(master, "model"));
    run = new WorkloadRun(user, LEASE, new Faults(), seed);
    addCandidate();
    addCandidate();
  }

  @AfterEach
  void stop() throws Exception {
    run.close();
    candidates.forEach(Candidate::close);
    server.close();
  }

  @Test
  @Timeout(value = 2, unit = TimeUnit.HOURS)
  void controllers_keepTheRules() throws Exception {
    run.run(STEPS);
    System.out.println("model of workloads: " + run.summary());
  }
}
