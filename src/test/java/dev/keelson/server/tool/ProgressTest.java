package dev.keelson.server.tool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class ProgressTest {

  private final ByteArrayOutputStream printed = new ByteArrayOutputStream();
  private long nanos;

  private Progress progress(boolean terminal) {
    PrintStream out = new PrintStream(printed, /* autoFlush= */ true, StandardCharsets.UTF_8);
    return new Progress(out, terminal, () -> nanos, () -> false);
  }

  private String text() {
    return printed.toString(StandardCharsets.UTF_8);
  }

  @Test
  void plain_printsALineEveryFewSeconds() {
    Progress progress = progress(/* terminal= */ false);
    progress.begin("Copying", "objects", 100_000);

    for (int second = 1; second <= 11; second++) {
      nanos += TimeUnit.SECONDS.toNanos(1);
      progress.add(1000, 1 << 20);
    }
    progress.end();

    assertThat(text().lines())
        .containsExactly(
            "Copying: 5,000 of 100,000 objects, 5.0 MiB, 1,000 objects/s, 1 min 35 s left",
            "Copying: 10,000 of 100,000 objects, 10.0 MiB, 1,000 objects/s, 1 min 30 s left");
  }

  @Test
  void terminal_writesOverTheLineAndRemovesIt() {
    Progress progress = progress(/* terminal= */ true);
    progress.begin("Checking", "objects", 20);

    nanos += TimeUnit.SECONDS.toNanos(1);
    progress.add(10, 0);
    progress.end();

    assertThat(text())
        .isEqualTo("\r\u001b[KChecking: 10 of 20 objects, 10 objects/s, 1 s left\r\u001b[K");
  }

  @Test
  void stop_endsTheWork() {
    Progress progress =
        new Progress(
            new PrintStream(printed, /* autoFlush= */ true, StandardCharsets.UTF_8),
            /* terminal= */ false,
            () -> nanos,
            () -> true);
    progress.begin("Copying", "objects", 1);

    assertThatThrownBy(() -> progress.add(1, 1)).isInstanceOf(StoppedException.class);
  }
}
