package dev.keelson.http.media;

import static org.assertj.core.api.Assertions.assertThat;

import dev.keelson.api.ApiException;
import dev.keelson.http.Body;
import dev.keelson.http.Body.Payload;
import dev.keelson.object.Node;
import dev.keelson.object.Node.MapNode;
import dev.keelson.registry.StoredObject;
import dev.keelson.registry.read.ObjectWatch;
import dev.keelson.schema.BuiltInResources;
import dev.keelson.schema.ResourceDefinition;
import dev.keelson.schema.proto.ProtoSchemas;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** How the watch of a client that reads too slowly ends. */
class WatchBodyTest {

  private static final Duration TIMEOUT = Duration.ofHours(1);
  private static final Duration LAG_PATIENCE = Duration.ofMinutes(1);

  private final ResourceDefinition maps =
      BuiltInResources.all(ProtoSchemas.fromClassPath()::struct).stream()
          .filter(definition -> definition.kind().equals("ConfigMap"))
          .findFirst()
          .orElseThrow();
  private final SlowWatch watch = new SlowWatch();
  private final SlowChannel channel = new SlowChannel();

  private final StatusForm form = new StatusForm();

  private void start() {
    WatchEncoder frames = new WatchEncoder(maps, Representation.JSON, form);
    new WatchBody(
            watch,
            new AtomicReference<>(() -> {}),
            frames,
            new WatchBody.Options(TIMEOUT, false, false, false),
            WatchMetrics.OfType.NONE)
        .start(channel);
  }

  @Test
  void watchThatLagged_isToldExpired_whenTheClientReadsAgain() {
    start();
    channel.full = true;
    watch.lagged = true;
    channel.turn();
    assertThat(channel.frames).isEmpty();
    assertThat(channel.ended).isFalse();

    channel.full = false;
    channel.turn();

    assertThat(channel.frames).containsExactly("ERROR");
    assertThat(form.statuses).hasSize(1);
    assertThat(form.statuses.getFirst().text("reason")).isEqualTo("Expired");
    assertThat(form.statuses.getFirst().at("code")).isEqualTo(new Node.Int(410));
    assertThat(channel.ended).isTrue();
    assertThat(channel.cut).isFalse();
    assertThat(watch.closed).isTrue();
  }

  @Test
  void watchThatLagged_isCut_whenTheClientReadsNothingForAMinute() {
    start();
    channel.full = true;
    watch.lagged = true;
    channel.turn();
    channel.turn();

    channel.pass(LAG_PATIENCE);

    assertThat(channel.frames).isEmpty();
    assertThat(channel.cut).isTrue();
    assertThat(watch.closed).isTrue();
  }

  @Test
  void watchThatIsFullAndHasNotLagged_waits() {
    start();
    channel.full = true;
    channel.turn();

    channel.pass(LAG_PATIENCE);

    assertThat(channel.cut).isFalse();
    assertThat(watch.closed).isFalse();
  }

  /** Has no events, and ends with an error once it has lagged. */
  private static final class SlowWatch implements ObjectWatch {
    private boolean lagged;
    private boolean closed;

    @Override
    public Batch poll(int most) {
      ApiException end = lagged ? ObjectWatch.expired() : null;
      return new Batch(List.of(), 7, true, false, end);
    }

    @Override
    public boolean lagged() {
      return lagged;
    }

    @Override
    public void close() {
      closed = true;
    }
  }

  /** A client that takes bytes when the test says so, on a clock that the test moves. */
  private static final class SlowChannel implements Body.Channel {
    private record Timer(Duration delay, Runnable action) {}

    private final List<String> frames = new ArrayList<>();
    private final List<Timer> timers = new ArrayList<>();
    private @Nullable Runnable drain;
    private boolean full;
    private boolean ended;
    private boolean cut;

    void turn() {
      if (drain != null) {
        drain.run();
      }
    }

    /** Runs each timer of this delay once. */
    void pass(Duration delay) {
      for (Timer timer : List.copyOf(timers)) {
        if (timer.delay().equals(delay)) {
          timers.remove(timer);
          timer.action().run();
        }
      }
    }

    @Override
    public void write(List<Payload> events) {
      for (Payload event : events) {
        frames.add(new String(event.toByteArray(), StandardCharsets.UTF_8));
      }
    }

    @Override
    public boolean full() {
      return full;
    }

    @Override
    public void onDrain(Runnable action) {
      drain = action;
    }

    @Override
    public void onGone(Runnable action) {}

    @Override
    public void onShutdown(Runnable action) {}

    @Override
    public void end() {
      ended = true;
    }

    @Override
    public void cut() {
      cut = true;
    }

    @Override
    public void wake(Runnable action) {
      action.run();
    }

    @Override
    public void execute(Runnable action) {
      action.run();
    }

    @Override
    public void after(Duration delay, Runnable action) {
      timers.add(new Timer(delay, action));
    }
  }

  /** Keeps each Status, and writes the type of an event alone. */
  private static final class StatusForm implements EventForm {
    private final List<MapNode> statuses = new ArrayList<>();

    @Override
    public void object(StoredObject object, List<Payload.Slice> out) {
      throw new IllegalStateException("the watch has no objects");
    }

    @Override
    public void bookmark(MapNode object, List<Payload.Slice> out) {
      throw new IllegalStateException("the watch has no bookmarks");
    }

    @Override
    public void status(MapNode status, List<Payload.Slice> out) {
      statuses.add(status);
    }

    @Override
    public List<Payload.Slice> frame(String type, List<Payload.Slice> object) {
      return Payload.of(type.getBytes(StandardCharsets.UTF_8)).slices();
    }
  }
}
