package dev.keelson.server.controller;

import static org.assertj.core.api.Assertions.assertThat;

import dev.keelson.api.GroupVersionResource;
import dev.keelson.client.DeleteRequest;
import dev.keelson.client.Remaining;
import dev.keelson.client.ResourceClient;
import dev.keelson.controller.bootstrap.SystemObjects;
import dev.keelson.object.ApiObject;
import dev.keelson.object.Node;
import dev.keelson.object.Node.MapNode;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(120)
class ServerEndpointsTest {

  private static final SystemObjects.Place PLACE =
      new SystemObjects.Place("10.0.0.1", "192.0.2.7", 6443);

  @Test
  void defectInOneTurn_doesNotEndTheOthers() throws Exception {
    Stumbling client = new Stumbling();
    try (ServerEndpoints endpoints =
        new ServerEndpoints(new SystemObjects(client), null, Duration.ofMillis(1))) {
      endpoints.start(PLACE);
      client.started = true;

      assertThat(client.afterwards.await(60, TimeUnit.SECONDS)).isTrue();
    }
    assertThat(client.defects).hasValue(1);
  }

  /** Has every object, but one turn fails at the first. */
  private static final class Stumbling implements ResourceClient {
    private final AtomicInteger defects = new AtomicInteger();
    private final CountDownLatch afterwards = new CountDownLatch(1);
    private volatile boolean started;

    @Override
    public List<ApiObject> list(GroupVersionResource resource, String namespace) {
      throw new UnsupportedOperationException();
    }

    @Override
    public Optional<ApiObject> get(GroupVersionResource resource, String namespace, String name) {
      if (started && defects.compareAndSet(0, 1)) {
        throw new IllegalStateException("a defect");
      }
      if (defects.get() > 0) {
        afterwards.countDown();
      }
      return Optional.of(new ApiObject(MapNode.of("addressType", Node.text("IPv4"))));
    }

    @Override
    public Optional<ApiObject> change(
        GroupVersionResource resource,
        String namespace,
        String name,
        UnaryOperator<ApiObject> edit) {
      return Optional.empty();
    }

    @Override
    public Optional<String> namespaceOf(GroupVersionResource resource, String name, String uid) {
      throw new UnsupportedOperationException();
    }

    @Override
    public ApiObject create(GroupVersionResource resource, String namespace, ApiObject object) {
      throw new UnsupportedOperationException();
    }

    @Override
    public void delete(
        GroupVersionResource resource, String namespace, String name, DeleteRequest request) {
      throw new UnsupportedOperationException();
    }

    @Override
    public Optional<ApiObject> changeStatus(
        GroupVersionResource resource,
        String namespace,
        String name,
        UnaryOperator<ApiObject> edit) {
      throw new UnsupportedOperationException();
    }

    @Override
    public Remaining deleteAll(GroupVersionResource resource, String namespace) {
      throw new UnsupportedOperationException();
    }

    @Override
    public void finalizeNamespace(String name, String finalizer) {
      throw new UnsupportedOperationException();
    }
  }
}
