package dev.keelson.pem;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The expected blocks are those that Go's {@code pem.Decode} finds. */
@Timeout(120)
class PemBlocksTest {

  private static final String BLOCK = "-----BEGIN KEY-----\nAAEC\n-----END KEY-----\n";

  @Test
  void blocks_areFoundInTheirOrderBetweenOtherText() {
    List<PemBlock> blocks =
        PemBlocks.in("Bag Attributes: \u00e4\n" + BLOCK + "\nmore\r\n" + BLOCK.replace("KEY", "B"));

    assertThat(blocks).extracting(PemBlock::type).containsExactly("KEY", "B");
    assertThat(blocks.getFirst().der()).containsExactly(0, 1, 2);
    assertThat(blocks.getFirst().headers()).isEmpty();
  }

  @Test
  void headers_areReadWithoutSpaceAroundThem() {
    String text =
        "-----BEGIN KEY-----\nProc-Type: 4,ENCRYPTED\r\n x : a:b \n\nAAEC\n-----END KEY-----\n";

    assertThat(PemBlocks.in(text))
        .singleElement()
        .extracting(PemBlock::headers)
        .isEqualTo(Map.of("Proc-Type", "4,ENCRYPTED", "x", "a:b"));
  }

  @Test
  void base64_mayHaveSpaceAnywhere() {
    assertThat(PemBlocks.in("-----BEGIN KEY-----\r\n A\tA \n\nE\r\nC\r\n-----END KEY-----"))
        .singleElement()
        .satisfies(block -> assertThat(block.der()).containsExactly(0, 1, 2));
  }

  @Test
  void emptyBody_isABlock() {
    assertThat(PemBlocks.in("-----BEGIN KEY-----\n-----END KEY-----\n"))
        .singleElement()
        .satisfies(block -> assertThat(block.der()).isEmpty());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "-----BEGIN KEY-----\nAAEC\n-----END CERT-----\n",
        "-----BEGIN KEY-----\nAAEC\n",
        "AAEC\n-----END KEY-----\n",
        "-----BEGIN KEY-----\nAA*C\n-----END KEY-----\n",
        "-----BEGIN KEY-----\nAAE\n-----END KEY-----\n",
        "-----BEGIN KEY\nAAEC\n-----END KEY-----\n",
        "-----BEGIN KEY-----\nAAEC\n-----END KEY----- here\n",
        "-----BEGIN KEY-----\nAAEC-----END KEY-----\n",
        "a -----BEGIN KEY-----\nAAEC\n-----END KEY-----\n",
        "-----BEGIN KEY-----\na:b\n",
        "-----BEGIN KEY-----\nAA\u0141C\n-----END KEY-----\n"
      })
  void whatDoesNotFitTogether_isSkipped(String text) {
    assertThat(PemBlocks.in(text)).isEmpty();
    if (text.contains("\n-----END")) {
      assertThat(PemBlocks.in(text + BLOCK)).extracting(PemBlock::type).containsExactly("KEY");
    }
  }

  @Test
  void severalBegins_theLastCounts() {
    assertThat(PemBlocks.in("-----BEGIN A-----\n-----BEGIN B-----\n" + BLOCK))
        .extracting(PemBlock::type)
        .containsExactly("KEY");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "-----BEGIN KEY-----\n",
        "\n-----END KEY-----",
        "-----BEGIN A-----\na:b\n-----END :\n",
        "-----BEGIN A-----\n-----END A-----!\n",
        "\n-----END -----BEGIN A-----",
        "a:b\n",
        "-----"
      })
  void hostileText_takesLinearTime(String part) {
    // a search from each of them to the end would look at some 10^12 characters
    String text = "-----BEGIN B-----\n" + part.repeat(2_000_000 / part.length());

    assertThat(PemBlocks.in(text)).isEmpty();
    assertThat(PemBlocks.in(text + "\n\n" + BLOCK)).hasSizeLessThanOrEqualTo(1);
  }

  @Test
  void manyBlocks_takeLinearTime() {
    assertThat(PemBlocks.in(BLOCK.repeat(50_000))).hasSize(50_000);
  }

  @Test
  void text_isWrittenInLinesOf64AndReadAgain() {
    byte[] der = new byte[100];
    der[99] = 7;

    String text = new PemBlock("CERTIFICATE", der).text();

    assertThat(text)
        .isEqualTo(
            "-----BEGIN CERTIFICATE-----\n%s\n%s\n%s==\n-----END CERTIFICATE-----\n"
                .formatted("A".repeat(64), "A".repeat(64), "AAAABw"));
    assertThat(PemBlocks.in(text))
        .singleElement()
        .satisfies(block -> assertThat(block.der()).isEqualTo(der));
  }
}
