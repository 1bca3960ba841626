package dev.keelson.soak;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.keelson.soak.Observations.Event;
import dev.keelson.soak.Observations.Got;
import dev.keelson.soak.Observations.Listed;
import dev.keelson.soak.Observations.Scope;
import dev.keelson.soak.Observations.Watched;
import dev.keelson.soak.RecordedHistory.Change;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Tests that the checks accept consistent observations only. */
class RecordedHistoryTest {

  private static final Scope ALL = new Scope("", "");
  private static final Scope RED = new Scope("soak-0", "red");

  private final RecordedHistory history = new RecordedHistory();

  @BeforeEach
  void happen() {
    history.change(10, new Change("soak-0/a", "red"));
    history.change(12, new Change("soak-1/b", "red"));
    history.change(14, new Change("soak-0/a", "blue"));
    history.change(16, new Change("soak-0/a", "red"));
    history.change(18, new Change("soak-0/a", null));
  }

  static Stream<Observations> whatHappened() {
    return Stream.of(
        new Listed("list", ALL, 12, 13, Map.of("soak-0/a", 10L, "soak-1/b", 12L)),
        new Listed("list", ALL, 0, 9, Map.of()),
        new Listed("list", RED, 0, 14, Map.of()),
        new Got("soak-0/a", 12, 10),
        new Got("soak-0/a", 12, 14),
        new Got("soak-0/a", 12, 0),
        new Got("soak-0/a", 20, 0),
        new Got("soak-9/z", 20, 0),
        new Watched("watch", ALL, 18, 30, List.of()),
        new Watched(
            "watch",
            RED,
            9,
            18,
            List.of(
                new Event("ADDED", "soak-0/a", 10),
                new Event("DELETED", "soak-0/a", 14),
                new Event("ADDED", "soak-0/a", 16),
                new Event("DELETED", "soak-0/a", 18))));
  }

  static Stream<Observations> whatDidNot() {
    return Stream.of(
        // older than an answered write
        new Listed("list", ALL, 14, 13, Map.of("soak-0/a", 10L, "soak-1/b", 12L)),
        new Got("soak-0/a", 14, 10),
        new Got("soak-1/b", 14, 0),
        // two states in one, an object too few, and one too many
        new Listed("list", ALL, 0, 13, Map.of("soak-0/a", 14L, "soak-1/b", 12L)),
        new Listed("list", ALL, 0, 13, Map.of("soak-0/a", 10L)),
        new Listed("list", RED, 0, 13, Map.of("soak-0/a", 10L, "soak-1/b", 12L)),
        // never written
        new Got("soak-0/a", 0, 11),
        new Got("soak-9/z", 0, 11),
        // lost, repeated, out of order, of the wrong type
        new Watched("watch", ALL, 11, 14, List.of(new Event("MODIFIED", "soak-0/a", 14))),
        new Watched(
            "watch",
            RED,
            15,
            17,
            List.of(new Event("ADDED", "soak-0/a", 16), new Event("ADDED", "soak-0/a", 16))),
        new Watched(
            "watch",
            ALL,
            9,
            12,
            List.of(new Event("ADDED", "soak-1/b", 12), new Event("ADDED", "soak-0/a", 10))),
        new Watched("watch", RED, 13, 14, List.of(new Event("MODIFIED", "soak-0/a", 14))));
  }

  @ParameterizedTest
  @MethodSource("whatHappened")
  void check_ofWhatHappened_passes(Observations seen) {
    assertThatCode(() -> history.check(seen)).doesNotThrowAnyException();
  }

  @ParameterizedTest
  @MethodSource("whatDidNot")
  void check_ofWhatDidNotHappen_fails(Observations seen) {
    assertThatThrownBy(() -> history.check(seen)).isInstanceOf(AssertionError.class);
  }

  @Test
  void proveWrite_ofOneThatNobodyWasTold_fails() {
    assertThatCode(() -> history.checkWrite(14, "soak-0/a")).doesNotThrowAnyException();
    assertThatThrownBy(() -> history.checkWrite(15, "soak-0/a")).isInstanceOf(AssertionError.class);
  }

  @Test
  void gap_saysNothingAboutWhatLiesInIt_andEndsWithAState() {
    history.gap(18, 25, Map.of("soak-0/c", new RecordedHistory.Item(22, "red")));

    assertThatCode(() -> history.check(new Listed("list", ALL, 0, 20, Map.of("soak-0/x", 19L))))
        .doesNotThrowAnyException();
    assertThatCode(() -> history.check(new Listed("list", ALL, 0, 25, Map.of("soak-0/c", 22L))))
        .doesNotThrowAnyException();
    assertThatThrownBy(
            () ->
                history.check(
                    new Listed("list", ALL, 0, 26, Map.of("soak-0/c", 22L, "soak-1/b", 12L))))
        .isInstanceOf(AssertionError.class);
  }
}
