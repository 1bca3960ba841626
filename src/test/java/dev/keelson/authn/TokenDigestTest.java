package dev.keelson.authn;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HexFormat;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class TokenDigestTest {

  /** The example of FIPS 180-2, appendix B.1. */
  private static final String ABC =
      "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";

  private static String hex(TokenDigest digest) {
    HexFormat format = HexFormat.of();
    return format.toHexDigits(digest.a())
        + format.toHexDigits(digest.b())
        + format.toHexDigits(digest.c())
        + format.toHexDigits(digest.d());
  }

  @Test
  void digest_isSha256() {
    assertThat(hex(TokenDigest.of("abc"))).isEqualTo(ABC);
  }

  @Test
  void digestsOfManyThreads_doNotMix() {
    assertThat(IntStream.range(0, 10_000).parallel().mapToObj(i -> TokenDigest.of("abc")))
        .allMatch(digest -> hex(digest).equals(ABC));
  }
}
