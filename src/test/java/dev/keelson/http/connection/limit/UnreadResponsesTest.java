package dev.keelson.http.connection.limit;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.Promise;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class UnreadResponsesTest {

  private static final long MOST = 1_000_000;

  private final UnreadResponses responses = new UnreadResponses(MOST);
  private final List<String> ended = new ArrayList<>();

  private UnreadResponses.Connection connection(String name) {
    return responses.new Connection(() -> ended.add(name));
  }

  @Test
  void bytes_countUntilTheyAreSent() {
    UnreadResponses.Connection connection = connection("a");
    Promise<Void> sent = Promise.promise();
    Promise<Void> failed = Promise.promise();

    connection.hold(100, sent.future());
    connection.hold(300_000, failed.future());
    assertThat(responses.used()).isEqualTo(300_100);

    sent.complete();
    failed.fail("gone");
    assertThat(responses.used()).isZero();
    assertThat(ended).isEmpty();
  }

  @Test
  void bytesThatWereSentAtOnce_doNotCount() {
    Promise<Void> sent = Promise.promise();
    sent.complete();

    connection("a").hold(2 * MOST, sent.future());

    assertThat(responses.used()).isZero();
    assertThat(ended).isEmpty();
  }

  @Test
  void connectionThatHoldsMost_ends() {
    UnreadResponses.Connection small = connection("small");
    UnreadResponses.Connection larger = connection("larger");
    UnreadResponses.Connection largest = connection("largest");
    small.hold(100_000, Promise.<Void>promise().future());
    larger.hold(300_000, Promise.<Void>promise().future());
    Promise<Void> late = Promise.promise();
    largest.hold(600_000, late.future());
    assertThat(ended).isEmpty();

    small.hold(1, Promise.<Void>promise().future());

    assertThat(ended).containsExactly("largest");
    assertThat(responses.used()).isEqualTo(400_001);
    late.fail("closed");
    largest.hold(MOST, Promise.<Void>promise().future());
    largest.closed();
    assertThat(responses.used()).isEqualTo(400_001);
    assertThat(ended).containsExactly("largest");
  }

  @Test
  void connectionThatIsClosed_holdsNothing() {
    UnreadResponses.Connection connection = connection("a");
    connection.hold(400_000, Promise.<Void>promise().future());

    connection.closed();
    connection("b").hold(900_000, Promise.<Void>promise().future());

    assertThat(responses.used()).isEqualTo(900_000);
    assertThat(ended).isEmpty();
  }

  @Test
  void manyConnectionsOfTwoResponses_areEnded() {
    int few = 2 * UnreadResponses.LEAST_BYTES;
    for (int i = 0; i < 100; i++) {
      connection("c" + i).hold(few, Promise.<Void>promise().future());
    }

    assertThat(ended).isNotEmpty();
    assertThat(responses.used()).isLessThanOrEqualTo(MOST);
  }

  @Test
  void manyConnectionsOfLittle_areNotEnded() {
    for (int i = 0; i < 100; i++) {
      connection("c" + i).hold(20_000, Promise.<Void>promise().future());
    }

    assertThat(ended).isEmpty();
  }

  @Test
  void bound_isAQuarterOfTheMemory() {
    UnreadResponses ofMemory = UnreadResponses.ofMemory();
    UnreadResponses.Connection connection = ofMemory.new Connection(() -> ended.add("a"));

    connection.hold(Runtime.getRuntime().maxMemory() / 4, Promise.<Void>promise().future());
    assertThat(ended).isEmpty();
    connection.hold(1, Promise.<Void>promise().future());
    assertThat(ended).containsExactly("a");
  }
}
