package dev.keelson.http.connection.limit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** A second of 1,000 bytes, on a clock of the test. */
class PacedWritesTest {

  private static final long MILLI = 1_000_000;

  private long now = Long.MAX_VALUE - 50 * MILLI;
  private final ConnectionRate rate = new ConnectionRate(1000, () -> now);
  private final List<Runnable> timers = new ArrayList<>();
  private final List<Integer> sent = new ArrayList<>();
  private final ByteArrayOutputStream all = new ByteArrayOutputStream();
  private final AtomicInteger drained = new AtomicInteger();

  private PacedWrites bytes() {
    PacedWrites writes =
        PacedWrites.ofBytes(rate, (nanos, action) -> timers.add(action), this::send);
    writes.onDrain(drained::incrementAndGet);
    return writes;
  }

  private void send(byte[] bytes) {
    sent.add(bytes.length);
    all.writeBytes(bytes);
  }

  private void pass(long millis) {
    now += millis * MILLI;
    List<Runnable> due = List.copyOf(timers);
    timers.clear();
    due.forEach(Runnable::run);
  }

  @Test
  void bytes_areSentInPiecesAsTheyAreDue_inTheirOrder() {
    PacedWrites writes = bytes();
    byte[] body = new byte[450];
    for (int i = 0; i < body.length; i++) {
      body[i] = (byte) i;
    }

    writes.write(body);
    assertThat(sent).as("what a tenth of a second holds, and one piece").containsExactly(100, 100);
    assertThat(writes.full()).isTrue();
    pass(99);
    assertThat(sent).hasSize(2);
    pass(1);
    assertThat(sent).containsExactly(100, 100, 100);
    pass(200);
    assertThat(sent).containsExactly(100, 100, 100, 100, 50);
    assertThat(all.toByteArray()).isEqualTo(body);
  }

  @Test
  void drain_isToldOnce_whenBytesMayBeSentAgain() {
    PacedWrites writes = bytes();
    writes.write(new byte[300]);

    pass(100);
    assertThat(drained).hasValue(0);
    assertThat(writes.full()).isTrue();
    pass(100);
    assertThat(drained).hasValue(1);
    assertThat(writes.full()).isFalse();
    assertThat(timers).isEmpty();
  }

  @Test
  void messages_areNotCut_butPaidFor() {
    PacedWrites writes =
        PacedWrites.ofMessages(rate, (nanos, action) -> timers.add(action), this::send);

    writes.write(new byte[1100]);
    writes.write(new byte[10]);
    assertThat(sent).containsExactly(1100);
    pass(999);
    assertThat(sent).hasSize(1);
    pass(1);
    assertThat(sent).containsExactly(1100, 10);
  }

  @Test
  void end_sendsTheRest() {
    PacedWrites writes = bytes();
    writes.write(new byte[1000]);

    writes.flush();

    assertThat(all.size()).isEqualTo(1000);
    assertThat(rate.waitNanos()).isEqualTo(900 * MILLI);
  }

  @Test
  void streamsOfAConnection_shareItsRate() {
    bytes().write(new byte[200]);
    PacedWrites other = bytes();

    other.write(new byte[10]);
    assertThat(sent).containsExactly(100, 100);
    pass(100);
    assertThat(sent).containsExactly(100, 100, 10);
  }

  @Test
  void idleTime_isNotSaved() {
    now += 3_600_000 * MILLI;
    bytes().write(new byte[1000]);

    assertThat(sent).containsExactly(100, 100);
  }

  @Test
  void anyRate_makesProgress() {
    assertThat(new ConnectionRate(1, () -> now).piece()).isEqualTo(1);
    assertThat(new ConnectionRate(Integer.MAX_VALUE, () -> now).piece()).isEqualTo(64 * 1024);
    assertThatThrownBy(() -> new ConnectionRate(0, () -> now))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
