package dev.keelson.http.stream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.vertx.core.buffer.Buffer;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Timeout(20)
class WebSocketReaderTest implements WebSocketReader.Sink {

  private final List<String> got = new ArrayList<>();
  private final WebSocketReader reader = new WebSocketReader(this);

  @Override
  public void part(Buffer bytes, boolean begins) {
    got.add((begins ? "begins " : "goes on ") + bytes);
  }

  @Override
  public void ping(Buffer payload) {
    got.add("ping " + payload);
  }

  @Override
  public void closed() {
    got.add("closed");
  }

  /** A masked frame. */
  static Buffer frame(int first, String payload) {
    byte[] mask = {1, 2, 3, 4};
    Buffer frame = Buffer.buffer().appendByte((byte) first);
    byte[] bytes = payload.getBytes(StandardCharsets.ISO_8859_1);
    if (bytes.length < 126) {
      frame.appendByte((byte) (0x80 | bytes.length));
    } else if (bytes.length <= 0xffff) {
      frame.appendByte((byte) (0x80 | 126)).appendShort((short) bytes.length);
    } else {
      frame.appendByte((byte) (0x80 | 127)).appendLong(bytes.length);
    }
    frame.appendBytes(mask);
    for (int i = 0; i < bytes.length; i++) {
      frame.appendByte((byte) (bytes[i] ^ mask[i % 4]));
    }
    return frame;
  }

  @Test
  void messages_comeInOrder() throws IOException {
    reader.add(
        frame(0x82, "one")
            .appendBuffer(frame(0x82, ""))
            .appendBuffer(frame(0x89, "p"))
            .appendBuffer(frame(0x8a, "unasked"))
            .appendBuffer(frame(0x81, "two")));

    assertThat(got).containsExactly("begins one", "ping p", "begins two");
  }

  @Test
  void fragments_areOneMessage_alsoAroundAPing() throws IOException {
    reader.add(
        frame(0x02, "")
            .appendBuffer(frame(0x00, "a"))
            .appendBuffer(frame(0x89, ""))
            .appendBuffer(frame(0x80, "b"))
            .appendBuffer(frame(0x82, "c")));

    assertThat(got).containsExactly("begins a", "ping ", "goes on b", "begins c");
  }

  @Test
  void bytes_mayComeOneByOne() throws IOException {
    Buffer all = frame(0x82, "x".repeat(300)).appendBuffer(frame(0x88, "\u0003\u00e8"));
    for (int i = 0; i < all.length(); i++) {
      reader.add(all.getBuffer(i, i + 1));
    }

    assertThat(got).hasSize(301).startsWith("begins x", "goes on x").endsWith("closed");
  }

  @Test
  void longFrame_passesBeforeItsEnd() throws IOException {
    Buffer all = frame(0x82, "y".repeat(100_000));

    reader.add(all.getBuffer(0, 1014));

    assertThat(got).containsExactly("begins " + "y".repeat(1000));
  }

  @Test
  void nothingFollowsTheEnd() throws IOException {
    reader.add(frame(0x88, "").appendBuffer(frame(0x82, "late")));

    assertThat(got).containsExactly("closed");
  }

  @ParameterizedTest
  @CsvSource({
    "8201, not masked",
    "c28000000000, reserved bits",
    "838000000000, opcode 3",
    "808000000000, opcode 0",
    "098000000000, opcode 9",
    "89fe007e00000000, opcode 9",
    "82ffffffffffffffffff00000000, opcode 2",
  })
  void framesOfNoClient_areRefused(String hex, String error) {
    assertThatThrownBy(() -> reader.add(Buffer.buffer(HexFormat.of().parseHex(withMask(hex)))))
        .isInstanceOf(IOException.class)
        .hasMessageContaining(error);
  }

  /** A head is complete with its mask, which an unmasked frame lacks. */
  private static String withMask(String hex) {
    return hex.length() == 4 ? hex + "00000000" : hex;
  }

  @Test
  void newMessageInsideOfAnother_isRefused() throws IOException {
    reader.add(frame(0x02, "a"));

    assertThatThrownBy(() -> reader.add(frame(0x82, "b"))).isInstanceOf(IOException.class);
  }
}
