package dev.keelson.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.keelson.api.ApiException;
import dev.keelson.api.GroupVersion;
import dev.keelson.api.GroupVersionResource;
import dev.keelson.api.Reason;
import dev.keelson.client.election.LeaderWrites;
import dev.keelson.client.informer.Informer;
import dev.keelson.client.informer.InformerType;
import dev.keelson.client.informer.ObjectListener;
import dev.keelson.client.informer.ObjectName;
import dev.keelson.client.rest.ApiClient;
import dev.keelson.client.rest.ApiClient.Patch;
import dev.keelson.client.rest.ApiClient.Selection;
import dev.keelson.client.rest.ApiTransport;
import dev.keelson.client.rest.Written;
import dev.keelson.controller.Controller;
import dev.keelson.controller.ControllerLoop;
import dev.keelson.controller.cronjob.CronJobController;
import dev.keelson.controller.cronjob.CronJobFacts;
import dev.keelson.controller.daemonset.DaemonNode;
import dev.keelson.controller.daemonset.DaemonSetController;
import dev.keelson.controller.daemonset.DaemonSetFacts;
import dev.keelson.controller.deployment.DeploymentController;
import dev.keelson.controller.job.JobController;
import dev.keelson.controller.manager.ControllerContext;
import dev.keelson.controller.manager.SharedInformers;
import dev.keelson.controller.podgc.NodeState;
import dev.keelson.controller.podgc.PodGarbageCollector;
import dev.keelson.controller.replicaset.ReplicaSetController;
import dev.keelson.controller.statefulset.StatefulSetController;
import dev.keelson.controller.statefulset.StatefulSetFacts;
import dev.keelson.controller.ttlafterfinished.TtlAfterFinishedController;
import dev.keelson.controller.workload.ClaimFacts;
import dev.keelson.controller.workload.JobFacts;
import dev.keelson.controller.workload.PodFacts;
import dev.keelson.controller.workload.ReplicaSetFacts;
import dev.keelson.controller.workload.RevisionFacts;
import dev.keelson.http.loopback.Loopback;
import dev.keelson.object.ApiObject;
import dev.keelson.object.Node;
import dev.keelson.object.Node.MapNode;
import dev.keelson.request.UserInfo;
import dev.keelson.testing.CustomTypes;
import io.vertx.core.Vertx;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.function.Predicate;

/**
 * A server with RBAC and the controllers of workloads, each with its service account, and somebody
 * who makes pods ready in place of a kubelet.
 */
final class WorkloadFixture implements AutoCloseable {

  static final GroupVersionResource SETS = ReplicaSetFacts.RESOURCE;
  static final GroupVersionResource DEPLOYMENTS = DeploymentController.RESOURCE;
  static final GroupVersionResource JOBS = JobFacts.RESOURCE;
  static final GroupVersionResource CRON_JOBS = CronJobFacts.TYPE.resource();
  static final GroupVersionResource STATEFUL_SETS = StatefulSetFacts.TYPE.resource();
  static final GroupVersionResource DAEMON_SETS = DaemonSetFacts.TYPE.resource();
  static final GroupVersionResource NODES = DaemonNode.TYPE.resource();
  static final GroupVersionResource PODS = GroupVersion.CORE_V1.resource("pods");
  static final GroupVersionResource EVENTS = GroupVersion.CORE_V1.resource("events");

  private static final Duration JOB_FAILURE_DELAY = Duration.ofMillis(1);

  /** Longer than a test. */
  static final Duration LONG_JOB_FAILURE_DELAY = Duration.ofMinutes(5);

  private static final String READY =
      "{'status':{'phase':'Running','conditions':[{'type':'Ready','status':'True',"
          + "'lastTransitionTime':'2026-01-01T00:00:00Z'}]}}";

  private final Vertx vertx = Vertx.vertx();
  private final ComposedServer server;
  private final List<AutoCloseable> parts = new ArrayList<>();
  private final BlockingQueue<PodFacts> created = new LinkedBlockingQueue<>();
  private volatile Predicate<PodFacts> becomesReady = pod -> false;

  /** By how much the clock of the CronJob controller is ahead. */
  volatile Duration ahead = Duration.ZERO;

  final ApiClient user;

  WorkloadFixture(Path directory) throws InterruptedException {
    this(directory, JOB_FAILURE_DELAY);
  }

  /**
   * Starts.
   *
   * @param jobFailureDelay how long a Job waits after its first failure
   */
  WorkloadFixture(Path directory, Duration jobFailureDelay) throws InterruptedException {
    server =
        ComposedServer.of(
            OpenedResources.open(
                CustomTypesContract.options(
                    List.of(
                        "--data-dir=" + directory, "--secure-port=0", "--authorization-mode=RBAC")),
                InstantSource.system()),
            vertx);
    assertThat(server.server().ready(6443, Duration.ZERO)).contains("ready");
    UserInfo master = new UserInfo("master", "", List.of("system:masters"), Map.of());
    user = new ApiClient(server.api().loopback().as(master, "test"));
    ApiClient reader = user;
    Informer<PodFacts> pods =
        new Informer<>(reader, Selection.of(PODS), PodFacts::of, List.of(PodFacts.BY_OWNER));
    Informer<ReplicaSetFacts> sets =
        new Informer<>(
            reader, Selection.of(SETS), ReplicaSetFacts::of, List.of(ReplicaSetFacts.BY_OWNER));
    Informer<JobFacts> jobs = Informer.of(user, JobFacts.TYPE);
    pods.listen(new Arrivals());
    follow("pods", pods);
    follow("replicasets", sets);
    follow("jobs", jobs);
    InstantSource clock = InstantSource.system();
    ReplicaSetController replicaSets =
        new ReplicaSetController(
            client(ReplicaSetController.NAME), pods, sets, clock, System::nanoTime);
    DeploymentController deployments =
        new DeploymentController(
            client(DeploymentController.NAME), pods, sets, clock, System::nanoTime);
    replicaSets.start();
    parts.add(replicaSets);
    ReplicaSetController replicationControllers =
        ReplicaSetController.ofReplicationControllers(
            client(ReplicaSetController.REPLICATION_CONTROLLER),
            pods,
            followed(ReplicaSetFacts.REPLICATION_CONTROLLERS),
            clock,
            System::nanoTime);
    replicationControllers.start();
    parts.add(replicationControllers);
    deployments.start();
    parts.add(deployments);
    JobController jobController =
        new JobController(
            client(JobController.NAME), pods, jobs, clock, System::nanoTime, jobFailureDelay);
    jobController.start();
    parts.add(jobController);
    Informer<CronJobFacts> cronJobs = followed(CronJobFacts.TYPE);
    CronJobController cronJobController =
        new CronJobController(
            client(CronJobController.NAME),
            jobs,
            cronJobs,
            () -> Instant.now().plus(ahead),
            System::nanoTime);
    cronJobController.start();
    parts.add(cronJobController);
    Informer<RevisionFacts> revisions = followed(RevisionFacts.TYPE);
    DaemonSetController daemonSets =
        new DaemonSetController(
            client(DaemonSetController.NAME),
            new DaemonSetController.Informers(
                pods, followed(DaemonNode.TYPE), followed(DaemonSetFacts.TYPE), revisions),
            clock,
            System::nanoTime);
    daemonSets.start();
    parts.add(daemonSets);
    StatefulSetController.Informers stateful =
        new StatefulSetController.Informers(
            pods, followed(StatefulSetFacts.TYPE), revisions, followed(ClaimFacts.TYPE));
    StatefulSetController statefulSets =
        new StatefulSetController(
            client(StatefulSetController.NAME), stateful, clock, System::nanoTime);
    statefulSets.start();
    parts.add(statefulSets);
    TtlAfterFinishedController ttl =
        new TtlAfterFinishedController(client(TtlAfterFinishedController.NAME), jobs, clock);
    ttl.start();
    parts.add(ttl);
    ControllerLoop kubelet = ControllerLoop.every("ready-pods", Duration.ZERO, this::makeReady);
    kubelet.start();
    parts.add(kubelet);
  }

  /** Starts the collector of pods, which by itself would end pods that a test holds. */
  void collectGarbage() throws InterruptedException {
    PodGarbageCollector podGarbage =
        new PodGarbageCollector(
            client(PodGarbageCollector.NAME),
            followed(PodFacts.TYPE),
            followed(NodeState.TYPE),
            InstantSource.system(),
            System::nanoTime,
            /* mostEnded= */ 3,
            Duration.ofMillis(100),
            Duration.ofMillis(300));
    podGarbage.start();
    parts.add(podGarbage);
  }

  /** Starts a controller that is made as in a server. */
  void run(Function<ControllerContext, Controller> make) throws InterruptedException {
    run(make, System::nanoTime);
  }

  /**
   * Starts a controller that is made as in a server.
   *
   * @param nanos its monotonic clock, in nanoseconds
   */
  void run(Function<ControllerContext, Controller> make, LongSupplier nanos)
      throws InterruptedException {
    Loopback loopback = server.api().loopback();
    ApiTransport own =
        loopback.as(new UserInfo("master", "", List.of("system:masters"), Map.of()), "test");
    SharedInformers informers = new SharedInformers(new ApiClient(own), System::nanoTime);
    parts.add(informers);
    Controller controller =
        make.apply(
            new ControllerContext(
                own,
                loopback::serviceAccount,
                LeaderWrites.withoutElection(),
                informers,
                InstantSource.system(),
                nanos));
    parts.add(controller);
    informers.start();
    controller.start();
  }

  /** Evicts a pod. */
  void evict(String pod) throws InterruptedException {
    Written unused =
        user.create(
            PODS,
            "default",
            pod,
            "eviction",
            new ApiObject(
                    CustomTypes.tree(
                        "{'metadata':{'name':'%s','namespace':'default'}}".formatted(pod)))
                .withType("policy/v1", "Eviction"));
  }

  private ApiClient client(String name) {
    return new ApiClient(server.api().loopback().serviceAccount(name));
  }

  private <T> Informer<T> followed(InformerType<T> type) {
    Informer<T> informer = Informer.of(user, type);
    follow(type.resource().resource(), informer);
    return informer;
  }

  private void follow(String name, Informer<?> informer) {
    ControllerLoop loop =
        ControllerLoop.every("informer-" + name, Duration.ofMillis(1), informer::follow);
    loop.start();
    parts.add(loop);
  }

  private final class Arrivals implements ObjectListener<PodFacts> {
    @Override
    public void added(ObjectName name, PodFacts pod) {
      created.add(pod);
    }

    @Override
    public void updated(ObjectName name, PodFacts before, PodFacts after) {
      // only new pods become ready
    }

    @Override
    public void deleted(ObjectName name, PodFacts last) {
      // nothing left to do
    }
  }

  private void makeReady() throws InterruptedException {
    PodFacts pod = created.take();
    if (becomesReady.test(pod)) {
      makeReady(pod.name().name());
    }
  }

  /** Decides which pods become ready from now on; those that exist are not looked at again. */
  void readyIf(Predicate<PodFacts> condition) {
    becomesReady = condition;
  }

  void makeReady(String pod) throws InterruptedException {
    try {
      patch(PODS, pod, "status", READY);
    } catch (ApiException e) {
      assertThat(e.reason()).isEqualTo(Reason.NOT_FOUND);
    }
  }

  @Override
  public void close() throws Exception {
    for (AutoCloseable part : parts.reversed()) {
      part.close();
    }
    int running = server.server().stop();
    Void unused = vertx.close().toCompletionStage().toCompletableFuture().get();
    assertThat(running).isZero();
  }

  ApiObject create(GroupVersionResource type, String kind, String text)
      throws InterruptedException {
    return user.create(
            type, new ApiObject(CustomTypes.tree(text)).withType(type.apiVersion(), kind))
        .object();
  }

  void patch(GroupVersionResource type, String name, String subresource, String patch)
      throws InterruptedException {
    Written unused =
        user.patch(type, "default", name, subresource, Patch.MERGE, CustomTypes.tree(patch));
  }

  List<ApiObject> list(GroupVersionResource type, String labels, String fields) {
    try {
      return user.list(new Selection(type, "default", labels, fields));
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  List<ApiObject> pods(String app) {
    return list(PODS, "app=" + app, "");
  }

  ApiObject get(GroupVersionResource type, String name) {
    try {
      return user.get(type, "default", name).orElseThrow();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  MapNode status(GroupVersionResource type, String name) {
    return get(type, name).root().map("status");
  }

  static long number(MapNode node, String key) {
    return node.get(key) instanceof Node.Int number ? number.value() : 0;
  }
}
