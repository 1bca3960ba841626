package dev.keelson.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.keelson.client.rest.ApiClient;
import dev.keelson.client.rest.ApiTransport;
import dev.keelson.object.ApiObject;
import dev.keelson.object.Node.MapNode;
import dev.keelson.schema.codec.ObjectReader;
import dev.keelson.simulation.PodAdmission.Rejection;
import dev.keelson.testing.CustomTypes;
import java.time.Instant;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** How many Events simulated kubelets write. */
class KubeletEventsTest {

  private static final Rejection WHY = new Rejection("OutOfcpu", "no processor is left");

  private final BlockingQueue<String> written = new LinkedBlockingQueue<>();
  private final AtomicLong nanos = new AtomicLong();

  /** Answers each Event as it was sent. */
  private final class Server implements ApiTransport {
    @Override
    public Answer send(Request request) {
      MapNode event = (MapNode) ObjectReader.untypedJson(request.body());
      written.add(event.map("involvedObject").text("name"));
      return new Answer(201, request.body());
    }

    @Override
    public Answer send(Request request, TimeLimit limit) {
      return send(request);
    }

    @Override
    public EventStream watch(Request request) {
      throw new UnsupportedOperationException();
    }
  }

  private static ApiObject pod(String name) {
    return new ApiObject(
        CustomTypes.tree(
            "{'metadata':{'name':'" + name + "','namespace':'ns','uid':'uid-" + name + "'}}"));
  }

  @Test
  void eventsThatComeTooFast_areDropped_andTenASecondMayFollow() throws Exception {
    try (KubeletEvents events =
        new KubeletEvents(
            new ApiClient(new Server()), () -> Instant.parse("2026-01-02T03:04:05Z"), nanos::get)) {
      events.start();
      for (int i = 0; i < 600; i++) {
        events.rejected(pod("first-" + i), "node", WHY);
      }
      nanos.addAndGet(TimeUnit.SECONDS.toNanos(1));
      for (int i = 0; i < 20; i++) {
        events.rejected(pod("second-" + i), "node", WHY);
      }
      nanos.addAndGet(TimeUnit.SECONDS.toNanos(1));
      events.rejected(pod("last"), "node", WHY);

      for (int i = 0; i < 500; i++) {
        assertThat(written.poll(1, TimeUnit.MINUTES)).isEqualTo("first-" + i);
      }
      for (int i = 0; i < 10; i++) {
        assertThat(written.poll(1, TimeUnit.MINUTES)).isEqualTo("second-" + i);
      }
      assertThat(written.poll(1, TimeUnit.MINUTES)).isEqualTo("last");
    }
  }
}
