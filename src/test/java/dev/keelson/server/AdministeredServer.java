package dev.keelson.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.keelson.api.GroupVersion;
import dev.keelson.api.GroupVersionResource;
import dev.keelson.client.rest.ApiClient;
import dev.keelson.client.rest.ApiClient.Patch;
import dev.keelson.client.rest.ApiClient.Selection;
import dev.keelson.client.rest.Written;
import dev.keelson.object.ApiObject;
import dev.keelson.object.Node.MapNode;
import dev.keelson.request.UserInfo;
import dev.keelson.testing.CustomTypes;
import io.vertx.core.Vertx;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** A server with RBAC that runs some of its own controllers, and its administrator. */
final class AdministeredServer implements AutoCloseable {

  private final Vertx vertx = Vertx.vertx();

  final ComposedServer server;
  final OpenedResources opened;
  final ApiClient user;

  /**
   * Starts.
   *
   * @param controllers the value of {@code --controllers}
   */
  AdministeredServer(Path directory, String controllers, String... flags) {
    List<String> arguments =
        new ArrayList<>(
            List.of(
                "--data-dir=" + directory,
                "--secure-port=0",
                "--authorization-mode=RBAC",
                "--controllers=" + controllers));
    arguments.addAll(List.of(flags));
    opened = OpenedResources.open(CustomTypesContract.options(arguments), InstantSource.system());
    server = ComposedServer.of(opened, vertx);
    assertThat(server.server().ready(6443, Duration.ZERO)).contains("ready");
    server.server().act();
    user = as("master", "system:masters");
  }

  /** A client of a user. */
  ApiClient as(String name, String... groups) {
    return new ApiClient(
        server.api().loopback().as(new UserInfo(name, "", List.of(groups), Map.of()), "test"));
  }

  static GroupVersionResource core(String resource) {
    return GroupVersion.CORE_V1.resource(resource);
  }

  ApiObject create(GroupVersionResource type, String kind, String text)
      throws InterruptedException {
    return create(user, type, kind, text);
  }

  static ApiObject create(ApiClient client, GroupVersionResource type, String kind, String text)
      throws InterruptedException {
    return client
        .create(type, new ApiObject(CustomTypes.tree(text)).withType(type.apiVersion(), kind))
        .object();
  }

  void patch(
      GroupVersionResource type, String namespace, String name, String subresource, String patch)
      throws InterruptedException {
    Written unused =
        user.patch(type, namespace, name, subresource, Patch.MERGE, CustomTypes.tree(patch));
  }

  /** An object; empty if it does not exist. */
  MapNode find(GroupVersionResource type, String namespace, String name) {
    try {
      return user.get(type, namespace, name).map(ApiObject::root).orElse(MapNode.EMPTY);
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  List<ApiObject> list(GroupVersionResource type, String namespace) {
    try {
      return user.list(new Selection(type, namespace, "", ""));
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  /** Reasons and messages of the Events of a namespace. */
  List<String> events(String namespace) {
    return list(core("events"), namespace).stream()
        .map(event -> event.root().text("reason") + ": " + event.root().text("message"))
        .toList();
  }

  @Override
  public void close() throws Exception {
    assertThat(server.server().stop()).isZero();
    Void unused = vertx.close().toCompletionStage().toCompletableFuture().get();
  }
}
