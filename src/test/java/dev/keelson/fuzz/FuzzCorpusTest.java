package dev.keelson.fuzz;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The inputs that a fuzzer begins with, and those that led it to branches of their own. */
@Timeout(120)
class FuzzCorpusTest {

  @ParameterizedTest
  @EnumSource
  void inputs_keepWhatIsPromised(FuzzTarget target) {
    List<byte[]> inputs = FuzzSeeds.of(target);

    assertThat(inputs).isNotEmpty();
    for (byte[] input : inputs) {
      assertThatCode(() -> target.check(input))
          .as(() -> HexFormat.of().formatHex(input))
          .doesNotThrowAnyException();
    }
  }
}
