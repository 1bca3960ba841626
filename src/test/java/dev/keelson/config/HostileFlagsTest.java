package dev.keelson.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.keelson.config.flag.Flag;
import dev.keelson.config.flag.FlagException;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Malformed values: each ends in one line that names the flag, or is taken. */
@Timeout(60)
class HostileFlagsTest {

  private static final List<String> VALUES =
      List.of(
          "",
          " ",
          "=",
          ",",
          "-",
          "-1",
          "0",
          "1",
          "1e400",
          "NaN",
          "99999999999999999999",
          "9223372036854775807",
          "-9223372036854775808",
          "0x",
          "1h-5m",
          "-1s",
          "9999999h",
          "300000h",
          "9223372036854775807ns",
          "1µs",
          "true",
          "TrUe",
          "/",
          "/nonexistent/file",
          "\0",
          "a\nb",
          "\u001b[31m",
          "é\uD800",
          "10.0.0.0/33",
          "10.0.0.0/-1",
          "10.0.0.0",
          "::/129",
          "10.0.0.0/8,10.0.0.0/8",
          "10.0.0.0/8,fd00::/64,fd01::/64",
          "256.1.1.1",
          "1-0",
          "70000-80000",
          "30000-",
          "30000+5",
          "http://",
          "http://[::1",
          "https://a:99999",
          "https://user:secret@host",
          "[[[",
          "(((",
          "*",
          "a=b",
          "a=b=c",
          "a:b:c",
          "{\"a\":1}",
          "x".repeat(100_000));

  static Stream<Flag<?>> flags() {
    return new Flags()
        .all().stream()
            .filter(flag -> !Set.of("config", "authorization-mode").contains(flag.name()));
  }

  @ParameterizedTest
  @MethodSource("flags")
  void value_isTakenOrRefusedByTheNameOfTheFlag(Flag<?> flag) {
    for (String value : VALUES) {
      String argument = flag.dashed() + "=" + value;
      Throwable failure = catchThrowable(() -> read(argument, "--authorization-mode=RBAC"));

      if (failure != null) {
        String text = String.valueOf(failure.getMessage());
        assertThat(failure).as(text).isInstanceOf(FlagException.class);
        assertThat(text).contains(flag.dashed()).doesNotContain("null").hasSizeLessThan(4_000);
        assertThat(text).matches(line -> line.chars().noneMatch(Character::isISOControl));
      }
    }
  }

  private static Flags.Wish read(String... arguments) {
    return new Flags().read(List.of(arguments), Map.of());
  }

  @ParameterizedTest
  @CsvSource({"true", "false"})
  void lastOfSeveralValues_counts(boolean last) {
    Flags.Wish.Run run =
        (Flags.Wish.Run) read("--allow-privileged=" + !last, "--allow-privileged=" + last);

    assertThat(run.options().privileged()).isEqualTo(last);
  }

  @Test
  void duplicatesWithOneMalformed_areRefused() {
    assertThatThrownBy(() -> read("--secure-port=x", "--secure-port=7443"))
        .isInstanceOf(FlagException.class)
        .hasMessageContaining("--secure-port");
  }
}
