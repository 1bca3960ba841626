package dev.keelson.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.keelson.api.ApiException;
import dev.keelson.api.GroupVersion;
import dev.keelson.api.GroupVersionResource;
import dev.keelson.api.Reason;
import dev.keelson.client.DeleteRequest;
import dev.keelson.client.DeleteRequest.Dependents;
import dev.keelson.client.informer.Index;
import dev.keelson.client.informer.Informer;
import dev.keelson.client.informer.ObjectListener;
import dev.keelson.client.informer.ObjectName;
import dev.keelson.client.rest.ApiClient;
import dev.keelson.client.rest.ApiClient.Patch;
import dev.keelson.client.rest.ApiClient.Selection;
import dev.keelson.client.rest.Written;
import dev.keelson.controller.ControllerLoop;
import dev.keelson.object.ApiObject;
import dev.keelson.object.Node;
import dev.keelson.object.Node.MapNode;
import dev.keelson.request.UserInfo;
import dev.keelson.testing.CustomTypes;
import dev.keelson.testing.Eventually;
import io.vertx.core.Vertx;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The client and the informer of controllers, over requests of a server to itself. */
@Timeout(120)
class InformerOnServerTest {

  private static final GroupVersionResource MAPS = GroupVersion.CORE_V1.resource("configmaps");
  private static final DeleteRequest DELETE = new DeleteRequest("", "", Dependents.DEFAULT);

  /** What the tests keep of a ConfigMap. */
  private record Kept(ObjectName name, String value) {
    static Kept of(ApiObject object) {
      return new Kept(ObjectName.of(object.meta()), object.root().map("data").text("key"));
    }
  }

  private final Vertx vertx = Vertx.vertx();
  private final Index<Kept> byValue = new Index<>(kept -> List.of(kept.value()));
  private final List<String> told = new CopyOnWriteArrayList<>();
  private ComposedServer server;
  private ApiClient client;

  @BeforeEach
  void start(@TempDir Path directory) {
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
    client = new ApiClient(server.api().loopback().as(master, "test"));
  }

  @AfterEach
  void stop() throws Exception {
    int running = server.server().stop();
    Void unused = vertx.close().toCompletionStage().toCompletableFuture().get();
    assertThat(running).isZero();
  }

  private static ApiObject map(String name, String value) {
    return new ApiObject(
            CustomTypes.tree(
                "{'metadata':{'name':'%s','namespace':'default'},'data':{'key':'%s'}}"
                    .formatted(name, value)))
        .withType("v1", "ConfigMap");
  }

  private Informer<Kept> informer() {
    ApiClient reader =
        new ApiClient(server.api().loopback().serviceAccount("generic-garbage-collector"));
    Informer<Kept> informer =
        new Informer<>(reader, new Selection(MAPS, "default", "", ""), Kept::of, List.of(byValue));
    informer.listen(
        new ObjectListener<>() {
          @Override
          public void added(ObjectName name, Kept object) {
            told.add("+" + name + "=" + object.value());
          }

          @Override
          public void updated(ObjectName name, Kept before, Kept after) {
            told.add("*" + name + "=" + before.value() + ">" + after.value());
          }

          @Override
          public void deleted(ObjectName name, Kept last) {
            told.add("-" + name + "=" + last.value());
          }
        });
    return informer;
  }

  @Test
  void follow_appliesEveryChangeInOrder() throws Exception {
    Written unused = client.create(MAPS, map("a", "1"));
    Informer<Kept> informer = informer();
    try (ControllerLoop loop =
        ControllerLoop.every("informer", Duration.ofMillis(1), informer::follow)) {
      loop.start();
      informer.awaitSync();
      assertThat(informer.by(byValue, "1")).hasSize(1);
      assertThat(informer.list("default")).extracting(Kept::value).contains("1");

      ApiObject b = client.create(MAPS, map("b", "1")).object();
      ApiObject changed =
          client.update(MAPS, b.with("data", MapNode.of("key", Node.text("2")))).object();
      ApiObject patched =
          client
              .patch(
                  MAPS, "default", "a", "", Patch.MERGE, CustomTypes.tree("{'data':{'key':'3'}}"))
              .object();
      server.client().delete(MAPS, "default", "b", DELETE);
      Eventually.assertEventually(() -> assertThat(told.getLast()).isEqualTo("-default/b=2"));

      assertThat(changed.meta().resourceVersion()).isNotEqualTo(b.meta().resourceVersion());
      assertThat(patched.root().map("data").text("key")).isEqualTo("3");
      assertThat(told.stream().filter(line -> !line.contains("kube-root-ca")))
          .containsExactly(
              "+default/a=1", "+default/b=1", "*default/b=1>2", "*default/a=1>3", "-default/b=2");
      assertThat(informer.get(new ObjectName("default", "a"))).map(Kept::value).hasValue("3");
      assertThat(informer.by(byValue, "1")).isEmpty();
    }
  }

  @Test
  void requests_passAuthorizationAndValidation() {
    ApiClient stranger = new ApiClient(server.api().loopback().serviceAccount("nobody"));

    assertThatThrownBy(() -> stranger.create(MAPS, map("a", "1")))
        .isInstanceOfSatisfying(
            ApiException.class, e -> assertThat(e.reason()).isEqualTo(Reason.FORBIDDEN))
        .hasMessageContaining(
            "configmaps is forbidden: User \"system:serviceaccount:kube-system:nobody\" cannot"
                + " create resource \"configmaps\" in API group \"\" in the namespace \"default\"");
    assertThatThrownBy(() -> stranger.watch(Selection.of(MAPS), Map.of()))
        .isInstanceOfSatisfying(
            ApiException.class, e -> assertThat(e.reason()).isEqualTo(Reason.FORBIDDEN));
    assertThatThrownBy(() -> client.create(MAPS, map("A_", "1")).object())
        .isInstanceOfSatisfying(
            ApiException.class,
            e -> {
              assertThat(e.reason()).isEqualTo(Reason.INVALID);
              assertThat(e.details().causes().getFirst().field()).isEqualTo("metadata.name");
            });
  }
}
