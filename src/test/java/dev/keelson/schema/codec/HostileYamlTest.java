package dev.keelson.schema.codec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.keelson.object.Node.MapNode;
import dev.keelson.schema.codec.tree.DecodeException;
import dev.keelson.schema.codec.tree.DecodeException.Fault;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.charset.StandardCharsets;
import java.util.Random;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(120)
class HostileYamlTest {

  private static void refused(Fault fault, String message, ThrowingCallable call) {
    assertThatThrownBy(call)
        .isInstanceOfSatisfying(DecodeException.class, e -> assertThat(e.fault()).isEqualTo(fault))
        .hasMessageContaining(message);
  }

  private static Object read(String yaml) {
    return ObjectReader.untypedYaml(yaml.getBytes(StandardCharsets.UTF_8));
  }

  @Test
  void aliases_thatGrowByPowers_areRefused() {
    StringBuilder yaml = new StringBuilder("a0: &a0 [x]\n");
    for (int i = 1; i < 60; i++) {
      yaml.append("a%d: &a%d [*a%d, *a%d]\n".formatted(i, i, i - 1, i - 1));
    }

    refused(Fault.LIMIT, "excessive aliasing", () -> read(yaml.toString()));
  }

  @Test
  void merges_thatGrowByPowers_areRefused() {
    StringBuilder yaml = new StringBuilder("a0: &a0 {x: 1}\n");
    for (int i = 1; i < 60; i++) {
      yaml.append("a%d: &a%d {<<: [*a%d, *a%d]}\n".formatted(i, i, i - 1, i - 1));
    }

    refused(Fault.LIMIT, "excessive aliasing", () -> read(yaml.toString()));
  }

  @Test
  void aliases_ofALongString_areRefused() {
    String yaml = "a: &a " + "x".repeat(100_000) + "\nb: [" + "*a, ".repeat(100) + "]\n";

    refused(Fault.LIMIT, "excessive aliasing", () -> read(yaml));
  }

  @Test
  void aliases_ofAUsefulSize_areRead() {
    StringBuilder yaml = new StringBuilder("a: &a {x: [1, 2, 3, 4, 5], y: text}\nb:\n");
    for (int i = 0; i < 1000; i++) {
      yaml.append("- *a\n");
    }

    assertThat(((MapNode) read(yaml.toString())).items("b")).hasSize(1000);
  }

  @ParameterizedTest
  @ValueSource(strings = {"a: &a [*a]", "a: &a {b: {c: *a}}", "&a {? *a : b}", "a: &a {<<: *a}"})
  void anchors_thatContainThemselves_areRefused(String yaml) {
    refused(Fault.SYNTAX, "anchor 'a' value contains itself", () -> read(yaml));
  }

  @Test
  void anchors_thatAreUnknown_areRefused() {
    refused(Fault.SYNTAX, "unknown anchor 'b' referenced", () -> read("a: *b"));
    refused(Fault.SYNTAX, "unknown anchor 'x' referenced", () -> read("a: {x: *x}"));
  }

  @ParameterizedTest
  @CsvSource({"'[',']'", "'{a: ','}'", "'[{a: ','}]'"})
  void depth_isBounded(String open, String close) {
    int per = open.startsWith("[{") ? 2 : 1;
    int most = 512 / per;

    assertThat(read(open.repeat(most) + close.repeat(most))).isNotNull();
    refused(
        Fault.LIMIT,
        "nests deeper than 512",
        () -> read(open.repeat(most + 1) + close.repeat(most + 1)));
    refused(Fault.LIMIT, "nests deeper than 512", () -> read(open.repeat(100_000)));
  }

  @Test
  void depth_ofBlocks_isBounded() {
    refused(Fault.LIMIT, "nests deeper than 512", () -> read("- ".repeat(5000) + "a"));
    refused(Fault.LIMIT, "nests deeper than 512", () -> read("? ".repeat(5000) + "a"));
  }

  @Test
  void depth_throughAliases_isBounded() {
    StringBuilder yaml = new StringBuilder("a0: &a0 x\n");
    for (int i = 1; i < 600; i++) {
      yaml.append("a%d: &a%d [*a%d]\n".formatted(i, i, i - 1));
    }

    refused(Fault.LIMIT, "", () -> read(yaml.toString()));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", " \n", "# nothing\n", "\n\n# a\n  # b\n", "\uFEFF"})
  void nothing_isRefused(String yaml) {
    refused(Fault.SYNTAX, "the document is empty", () -> read(yaml));
  }

  @Test
  void secondDocument_isRefused() {
    refused(Fault.SYNTAX, "line 3: a second document begins here", () -> read("a: 1\n---\nb: 2\n"));
    refused(Fault.SYNTAX, "a second document begins here", () -> read("---\n---\na: 1\n"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "a: b: c | line 1: mapping values are not allowed",
        "a: [b | line 1",
        "a: @b | line 1",
        "'a: \"b' | line 1",
        "%FOO | line 1",
        "a: b]c: | line 1",
        "'a: \"\\q\"' | line 1"
      })
  void syntaxErrors_nameTheLine(String yaml, String message) {
    refused(Fault.SYNTAX, "error converting YAML to JSON: yaml: " + message, () -> read(yaml));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '~',
      quoteCharacter = '`',
      value = {
        "{@>'a': 1,@>'b': [@>>1,@>>2,@>],@} ~ {\"a\":1,\"b\":[1,2]}",
        "{>a>:>b>,>c:>d>} ~ {\"a\":\"b\",\"c\":\"d\"}",
        "a:>b ~ {\"a\":\"b\"}",
        "'a':>b>#>c ~ {\"a\":\"b\"}",
        "a: b># c@d: [1,>2] ~ {\"a\":\"b\",\"d\":[1,2]}",
        "a: {>b: c>} ~ {\"a\":{\"b\":\"c\"}}",
        "- {@>a: 1@  } ~ [{\"a\":1}]",
        "{a: x>y, b: 'x>y'} ~ {\"a\":\"x>y\",\"b\":\"x>y\"}",
        "a: x>y ~ {\"a\":\"x>y\"}",
        "{!!str>a: it's>, b: &x>c} ~ {\"a\":\"it's\",\"b\":\"c\"}",
        "a: |@  {@  >x@  }@b: {@>c: 1@} ~ {\"a\":\"{@>x@}@\",\"b\":{\"c\":1}}",
        "- a: |@   x: [@   >y@  b: c ~ [{\"a\":\"x: [@>y@\",\"b\":\"c\"}]"
      })
  void tabs_betweenTokens_areWhiteSpace(String yaml, String json) {
    String expected = json.replace(">", "\\t").replace("@", "\\n");

    assertThat(read(tabs(yaml)))
        .isEqualTo(ObjectReader.untypedJson(expected.getBytes(StandardCharsets.UTF_8)));
  }

  @ParameterizedTest
  @ValueSource(strings = {"a:@>b: c", ">a: b", "->a: b", "a:@- b@>- c"})
  void tabs_thatIndentABlock_areRefused(String yaml) {
    refused(Fault.SYNTAX, "found character '\\t(TAB)'", () -> read(tabs(yaml)));
  }

  @ParameterizedTest
  @ValueSource(strings = {"\u0085", "\u2028", "\u2029"})
  void lineBreaksOfYaml11_areCharacters(String lineBreak) {
    assertThat(read("a: b" + lineBreak + "c"))
        .isEqualTo(
            ObjectReader.untypedJson(
                ("{\"a\":\"b" + lineBreak + "c\"}").getBytes(StandardCharsets.UTF_8)));
  }

  private static String tabs(String shown) {
    return shown.replace('>', '\t').replace('@', '\n');
  }

  @Test
  void bytes_thatAreNoText_areRefused() {
    refused(
        Fault.SYNTAX,
        "not valid UTF-8",
        () -> ObjectReader.untypedYaml(new byte[] {'a', ':', ' ', (byte) 0xC3, '('}));
    refused(
        Fault.SYNTAX,
        "not valid UTF-16LE",
        () -> ObjectReader.untypedYaml(new byte[] {(byte) 0xFF, (byte) 0xFE, 'a'}));
    refused(Fault.SYNTAX, "control characters are not allowed", () -> read("a: \u0007"));
    refused(Fault.SYNTAX, "control characters are not allowed", () -> read("a: \u0000"));
  }

  /** Broken input is refused, whatever it is: never another exception, never without end. */
  @Test
  void randomDamage_isReadOrRefused() {
    Random random = new Random(7);
    byte[] sound =
        """
        apiVersion: v1
        kind: ConfigMap
        metadata: {name: "x", labels: {a: 'b'}}
        data: &d
          a: |
            text
          b: >-
            folded
          ? c
          : "\\x41"
        more: [*d, !!str 1, {<<: *d}]
        """
            .getBytes(StandardCharsets.UTF_8);
    int refused = 0;
    for (int round = 0; round < 5000; round++) {
      byte[] bytes = sound.clone();
      for (int i = 0; i <= random.nextInt(4); i++) {
        bytes[random.nextInt(bytes.length)] =
            (byte) "\n\t :-?&*!|>'\"[]{}#,%@`~\0é".charAt(random.nextInt(25));
      }
      try {
        ObjectReader.untypedYaml(bytes);
      } catch (DecodeException e) {
        assertThat(e.text()).isNotEmpty();
        refused++;
      }
    }
    assertThat(refused).isBetween(100, 4900);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "a", "- ", "a: ", "'", "\"", "[", "? ", "&a ", "!a ", "#", "\n", " ", "|\n", "0", "%", "-"
      })
  void repetition_endsSoon(String piece) {
    String yaml = piece.repeat((1 << 20) / piece.length());
    // not the time that passes: the machine may have other things to do
    ThreadMXBean threads = ManagementFactory.getThreadMXBean();
    long start = threads.getCurrentThreadCpuTime();
    try {
      read(yaml);
    } catch (DecodeException e) {
      assertThat(e.text()).isNotEmpty();
    }
    assertThat(threads.getCurrentThreadCpuTime() - start).isLessThan(10_000_000_000L);
  }

  /** Found by fuzzing: the engine takes eight hexadecimal digits for an int. */
  @ParameterizedTest
  @ValueSource(strings = {"\\Udddddddd", "\\UFFFFFFFF", "\\U80000000"})
  void escapes_beyondAnInt_areRefused(String escape) {
    refused(Fault.SYNTAX, "invalid Unicode character escape", () -> read("a: \"" + escape + "\""));
  }
}
