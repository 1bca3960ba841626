package dev.keelson.http.connection;

import static org.assertj.core.api.Assertions.assertThat;

import dev.keelson.http.connection.limit.Strangers;
import dev.keelson.http.connection.limit.UnreadResponses;
import io.netty.buffer.Unpooled;
import io.netty.channel.embedded.EmbeddedChannel;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** When connections without a request under way are closed. */
class ConnectionTimesTest {

  private static final Duration IDLE = Duration.ofSeconds(90);
  private static final InetAddress ADDRESS = InetAddress.getLoopbackAddress();

  private final AtomicLong nanos = new AtomicLong();
  private final Strangers strangers = new Strangers(3, 100);
  private final UnreadResponses unread = new UnreadResponses(1_000_000);

  private EmbeddedChannel connect() {
    return connect(strangers);
  }

  private EmbeddedChannel connect(Strangers counted) {
    EmbeddedChannel channel =
        new EmbeddedChannel() {
          @Override
          protected SocketAddress remoteAddress0() {
            return new InetSocketAddress(ADDRESS, 40_000);
          }
        };
    channel.freezeTime();
    var unused = channel.pipeline().addFirst(new ConnectionTimes(counted, unread, nanos::get));
    channel.pipeline().fireChannelActive();
    return channel;
  }

  private static ConnectionTimes times(EmbeddedChannel channel) {
    ConnectionTimes times = ConnectionTimes.of(channel);
    if (times == null) {
      throw new AssertionError("the connection has no times");
    }
    return times;
  }

  private void pass(EmbeddedChannel channel, long seconds) {
    long unused = nanos.addAndGet(TimeUnit.SECONDS.toNanos(seconds));
    channel.advanceTimeBy(seconds, TimeUnit.SECONDS);
    long next = channel.runScheduledPendingTasks();
    assertThat(next).isGreaterThanOrEqualTo(-1);
  }

  private static void receive(EmbeddedChannel channel) {
    boolean unused = channel.writeInbound(Unpooled.wrappedBuffer(new byte[] {1}));
  }

  @Test
  void silentConnection_isClosed() {
    EmbeddedChannel channel = connect();

    pass(channel, 31);
    assertThat(channel.isOpen()).isTrue();
    pass(channel, 1);
    assertThat(channel.isOpen()).isFalse();
  }

  @Test
  void headThatDrips_isClosed() {
    EmbeddedChannel channel = connect();
    for (int i = 0; i < 31; i++) {
      receive(channel);
      pass(channel, 1);
    }

    assertThat(channel.isOpen()).isTrue();
    receive(channel);
    pass(channel, 1);
    assertThat(channel.isOpen()).isFalse();
  }

  @Test
  void request_mayTakeLonger() {
    EmbeddedChannel channel = connect();
    times(channel).began();

    pass(channel, 10_000);

    assertThat(channel.isOpen()).isTrue();
  }

  @Test
  void idleConnection_isClosed() {
    EmbeddedChannel channel = connect();
    times(channel).began();
    pass(channel, 60);
    times(channel).ended(IDLE);

    pass(channel, 89);
    assertThat(channel.isOpen()).isTrue();
    pass(channel, 1);
    assertThat(channel.isOpen()).isFalse();
  }

  @Test
  void secondHeadThatDrips_isClosed() {
    EmbeddedChannel channel = connect();
    times(channel).began();
    times(channel).ended(IDLE);
    pass(channel, 40);
    receive(channel);

    pass(channel, 31);
    assertThat(channel.isOpen()).isTrue();
    pass(channel, 1);
    assertThat(channel.isOpen()).isFalse();
  }

  @Test
  void busyConnection_staysOpen() {
    EmbeddedChannel channel = connect();
    for (int i = 0; i < 100; i++) {
      receive(channel);
      times(channel).began();
      pass(channel, 5);
      times(channel).ended(IDLE);
      pass(channel, 60);
    }

    assertThat(channel.isOpen()).isTrue();
  }

  @Test
  void oneOfTwoRequests_keepsTheConnection() {
    EmbeddedChannel channel = connect();
    times(channel).began();
    times(channel).began();
    times(channel).ended(IDLE);

    pass(channel, 1_000);

    assertThat(channel.isOpen()).isTrue();
  }

  @Test
  void strangersOfOneAddress_areLimited() {
    List<EmbeddedChannel> open = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      open.add(connect());
    }
    assertThat(connect().isOpen()).isFalse();
    assertThat(strangers.of(ADDRESS)).isEqualTo(3);

    times(open.get(0)).authenticated();
    times(open.get(0)).authenticated();
    assertThat(connect().isOpen()).isTrue();
    assertThat(connect().isOpen()).isFalse();

    boolean unused = open.get(1).close().isSuccess();
    assertThat(connect().isOpen()).isTrue();
    assertThat(strangers.of(ADDRESS)).isEqualTo(3);
  }

  @Test
  void crowd_losesItsOldest_butNobodyWhoWasAuthenticated() {
    Strangers few = new Strangers(9, 2);
    List<EmbeddedChannel> open = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      EmbeddedChannel channel = connect(few);
      open.add(channel);
      if (i == 0) {
        times(channel).authenticated();
      }
    }
    open.forEach(EmbeddedChannel::runPendingTasks);

    assertThat(open).extracting(EmbeddedChannel::isOpen).containsExactly(true, false, true, true);
    assertThat(few.of(ADDRESS)).isEqualTo(2);
  }
}
