package dev.keelson.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.keelson.api.ApiException;
import dev.keelson.api.GroupVersion;
import dev.keelson.api.GroupVersionResource;
import dev.keelson.client.election.LeaderElector;
import dev.keelson.client.election.LeaderTransport;
import dev.keelson.client.election.LeaderWrites;
import dev.keelson.client.election.LeaseTerms;
import dev.keelson.client.informer.ObjectName;
import dev.keelson.client.rest.ApiClient;
import dev.keelson.client.rest.ApiClient.Patch;
import dev.keelson.client.rest.ApiClient.Selection;
import dev.keelson.client.rest.ApiTransport;
import dev.keelson.client.rest.Written;
import dev.keelson.controller.Controller;
import dev.keelson.controller.WorkQueue;
import dev.keelson.controller.deployment.DeploymentController;
import dev.keelson.controller.manager.ControllerContext;
import dev.keelson.controller.manager.ControllerFactory;
import dev.keelson.controller.manager.ControllerManager;
import dev.keelson.http.loopback.Loopback;
import dev.keelson.object.ApiObject;
import dev.keelson.request.UserInfo;
import dev.keelson.testing.CustomTypes;
import dev.keelson.testing.Eventually;
import io.vertx.core.Vertx;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The controllers of a server behind the election, with RBAC. */
final class ControllerManagerOnServerTest {

  private static final GroupVersionResource PODS = GroupVersion.CORE_V1.resource("pods");
  private static final ObjectName LEASE = new ObjectName("kube-system", "kube-controller-manager");

  @TempDir private Path directory;
  private Vertx vertx;
  private ComposedServer server;
  private Loopback loopback;
  private ApiClient user;

  /** A controller that tells whether it runs. */
  private static final class Watched implements Controller {
    private final ControllerContext context;
    private volatile boolean running;

    Watched(ControllerContext context) {
      this.context = context;
    }

    @Override
    public void start() {
      running = true;
    }

    @Override
    public List<WorkQueue<?>> queues() {
      return List.of();
    }

    @Override
    public void close() {
      running = false;
    }
  }

  private final class Candidate {
    private final List<Watched> made = new CopyOnWriteArrayList<>();
    private final ControllerManager manager;

    Candidate(String identity) {
      ApiTransport own =
          loopback.as(
              new UserInfo(
                  "system:kube-controller-manager", "", List.of("system:authenticated"), Map.of()),
              identity);
      manager =
          new ControllerManager(
              new ControllerManager.Transports(own, own, loopback::serviceAccount),
              new LeaseTerms(
                  LEASE,
                  identity,
                  Duration.ofSeconds(30),
                  Duration.ofSeconds(20),
                  Duration.ofMillis(20)),
              List.of(
                  new ControllerFactory(
                      "watched",
                      context -> {
                        Watched controller = new Watched(context);
                        made.add(controller);
                        return controller;
                      })),
              /* lost= */ null,
              InstantSource.system(),
              System::nanoTime);
      manager.start();
    }

    boolean acts() {
      return manager.leading() && !made.isEmpty() && made.getLast().running;
    }
  }

  @BeforeEach
  void start() {
    vertx = Vertx.vertx();
    server =
        ComposedServer.of(
            OpenedResources.open(
                CustomTypesContract.options(
                    List.of(
                        "--data-dir=" + directory, "--secure-port=0", "--authorization-mode=RBAC")),
                InstantSource.system()),
            vertx);
    assertThat(server.server().ready(6443, Duration.ZERO)).contains("ready");
    loopback = server.api().loopback();
    user =
        new ApiClient(
            loopback.as(new UserInfo("master", "", List.of("system:masters"), Map.of()), "test"));
  }

  @AfterEach
  void stop() throws Exception {
    assertThat(server.server().stop()).isZero();
    Void unused = vertx.close().toCompletionStage().toCompletableFuture().get();
  }

  private List<ApiObject> pods() {
    try {
      return user.list(Selection.of(PODS));
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  private String holder() throws InterruptedException {
    return user.get(LeaderElector.RESOURCE, LEASE.namespace(), LEASE.name())
        .map(lease -> lease.root().map("spec").text("holderIdentity"))
        .orElse("");
  }

  @Test
  void server_runsItsControllersAsTheirServiceAccounts() throws Exception {
    server.server().act();
    Written unused =
        user.create(
            DeploymentController.RESOURCE,
            new ApiObject(
                    CustomTypes.tree(
                        "{'metadata':{'name':'web','namespace':'default'},'spec':{'replicas':2,"
                            + "'selector':{'matchLabels':{'app':'web'}},'template':{'metadata':{"
                            + "'labels':{'app':'web'}},'spec':{'containers':[{'name':'main',"
                            + "'image':'nginx'}]}}}}"))
                .withType("apps/v1", "Deployment"));

    Eventually.assertEventually(() -> assertThat(pods()).hasSize(2));
    assertThat(holder()).isEqualTo("keelson");
  }

  @Test
  void candidate_takesOverWhenTheLeaderEnds() throws Exception {
    Candidate first = new Candidate("first");
    Eventually.assertEventually(() -> assertThat(first.acts()).isTrue());
    Candidate second = new Candidate("second");
    assertThat(holder()).isEqualTo("first");
    assertThat(second.acts()).isFalse();

    first.manager.close();

    assertThat(first.made).singleElement().matches(controller -> !controller.running);
    Eventually.assertEventually(() -> assertThat(second.acts()).isTrue());
    assertThat(holder()).isEqualTo("second");
    second.manager.close();
    assertThat(holder()).isEmpty();
  }

  @Test
  void leaderWithAWriteOfUnknownEnd_keepsItsLeaseWhenItEnds() throws Exception {
    Candidate first = new Candidate("first");
    Eventually.assertEventually(() -> assertThat(first.acts()).isTrue());
    LeaderWrites writes = first.made.getFirst().context.writes();
    // as a write that was sent and has no answer
    ApiTransport unanswered =
        new LeaderTransport(
            new ApiTransport() {
              @Override
              public Answer send(Request request) throws IOException {
                throw new IOException("connection reset");
              }

              @Override
              public Answer send(Request request, TimeLimit limit) throws IOException {
                return send(request);
              }

              @Override
              public EventStream watch(Request request) {
                throw new UnsupportedOperationException();
              }
            },
            writes);
    assertThatIOException()
        .isThrownBy(
            () ->
                unanswered.send(
                    ApiTransport.Request.of(
                        "DELETE", "/api/v1/namespaces/default/pods/x", Map.of())));

    first.manager.close();

    assertThat(holder()).isEqualTo("first");
  }

  @Test
  void leaderWithoutItsLease_endsItsControllersAndWritesNoMore() throws Exception {
    Candidate first = new Candidate("first");
    Eventually.assertEventually(() -> assertThat(first.acts()).isTrue());
    ApiClient writer = first.made.getFirst().context.client(DeploymentController.NAME);

    Written unused =
        user.patch(
            LeaderElector.RESOURCE,
            LEASE.namespace(),
            LEASE.name(),
            "",
            Patch.MERGE,
            CustomTypes.tree("{'spec':{'holderIdentity':'kube-controller-manager'}}"));

    Eventually.assertEventually(() -> assertThat(first.manager.leading()).isFalse());
    Eventually.assertEventually(() -> assertThat(first.made.getFirst().running).isFalse());
    assertThatThrownBy(
            () ->
                writer.create(
                    PODS, new ApiObject(CustomTypes.tree("{'metadata':{'namespace':'default'}}"))))
        .isInstanceOf(ApiException.class)
        .hasMessageContaining("not the leader");
    assertThat(holder()).isEqualTo("kube-controller-manager");
    first.manager.close();
  }
}
