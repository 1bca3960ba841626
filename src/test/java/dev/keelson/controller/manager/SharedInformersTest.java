package dev.keelson.controller.manager;

import static org.assertj.core.api.Assertions.assertThat;

import dev.keelson.api.GroupVersion;
import dev.keelson.client.informer.Informer;
import dev.keelson.client.informer.InformerType;
import dev.keelson.client.informer.ObjectName;
import dev.keelson.client.rest.ApiClient;
import dev.keelson.client.rest.ApiTransport;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.LinkedBlockingQueue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Informers of two types of one resource. */
final class SharedInformersTest {

  private static final Duration LIMIT = Duration.ofSeconds(30);
  private static final InformerType<String> NODES =
      new InformerType<>(
          GroupVersion.CORE_V1.resource("pods"),
          pod -> pod.root().map("spec").text("nodeName"),
          List.of());
  private static final InformerType<String> PHASES =
      new InformerType<>(
          GroupVersion.CORE_V1.resource("pods"),
          pod -> pod.root().map("status").text("phase"),
          List.of());

  private final Watches server = new Watches();
  private final SharedInformers informers =
      new SharedInformers(new ApiClient(server), System::nanoTime);

  @AfterEach
  void stop() {
    informers.close();
  }

  @Test
  void types_beforeTheStart_shareAWatch() throws Exception {
    Informer<String> nodes = informers.of(NODES);
    Informer<String> phases = informers.of(PHASES);
    assertThat(server.watches).isEmpty();

    informers.start();

    assertThat(nodes.awaitSync(LIMIT)).isTrue();
    assertThat(phases.awaitSync(LIMIT)).isTrue();
    assertThat(nodes.list()).containsExactly("n1");
    assertThat(phases.get(new ObjectName("default", "web"))).contains("Running");
    assertThat(server.watches).containsExactly("/api/v1/pods");
  }

  @Test
  void type_afterTheStart_hasAWatchOfItsOwn() throws Exception {
    Informer<String> nodes = informers.of(NODES);
    informers.start();
    assertThat(nodes.awaitSync(LIMIT)).isTrue();

    Informer<String> phases = informers.of(PHASES);

    assertThat(phases.awaitSync(LIMIT)).isTrue();
    assertThat(phases.list()).containsExactly("Running");
    assertThat(informers.of(PHASES)).isSameAs(phases);
    assertThat(server.watches).hasSize(2);
  }

  /** Each watch begins with one pod and stays open. */
  private static final class Watches implements ApiTransport {

    private final List<String> watches = new CopyOnWriteArrayList<>();

    @Override
    public Answer send(Request request) {
      throw new UnsupportedOperationException(request.path());
    }

    @Override
    public Answer send(Request request, TimeLimit limit) {
      throw new UnsupportedOperationException(request.path());
    }

    @Override
    public EventStream watch(Request request) {
      watches.add(request.path());
      BlockingQueue<String> events =
          new LinkedBlockingQueue<>(
              List.of(
                  """
                  {"type":"ADDED","object":{"metadata":{"name":"web","namespace":"default"},
                  "spec":{"nodeName":"n1"},"status":{"phase":"Running"}}}
                  """,
                  """
                  {"type":"BOOKMARK","object":{"metadata":{"resourceVersion":"7",
                  "annotations":{"k8s.io/initial-events-end":"true"}}}}
                  """));
      return new EventStream() {
        @Override
        public byte[] next() throws InterruptedException {
          return events.take().getBytes(StandardCharsets.UTF_8);
        }

        @Override
        public void close() {
          // nothing is open
        }
      };
    }
  }
}
