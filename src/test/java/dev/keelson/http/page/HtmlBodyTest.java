package dev.keelson.http.page;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.keelson.http.Body;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.zip.Deflater;
import java.util.zip.DeflaterOutputStream;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What of a page is kept while it passes. */
class HtmlBodyTest {

  private final List<String> events = new ArrayList<>();

  private Body.Relayed page(List<byte[]> parts) {
    return new Body.Relayed() {
      @Override
      public void writeTo(Body.Sink sink) throws InterruptedException {
        for (byte[] part : parts) {
          events.add("taken");
          sink.write(Body.Payload.of(part));
        }
      }

      @Override
      public void abandon() {
        events.add("abandoned");
      }
    };
  }

  private static List<byte[]> parts(String coding, int count, byte[] content) throws IOException {
    ByteArrayOutputStream coded = new ByteArrayOutputStream();
    List<byte[]> parts = new ArrayList<>();
    try (DeflaterOutputStream out =
        coding.equals("gzip")
            ? new GZIPOutputStream(coded, 512, /* syncFlush= */ true)
            : new DeflaterOutputStream(
                coded, new Deflater(9, /* nowrap= */ true), 512, /* syncFlush= */ true)) {
      for (int i = 0; i < count; i++) {
        if (coding.isEmpty()) {
          coded.writeBytes(content);
        } else {
          out.write(content);
          out.flush();
        }
        parts.add(coded.toByteArray());
        coded.reset();
      }
    }
    return parts;
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "gzip", "deflate"})
  void part_isSentBeforeTheNextIsTaken(String coding) throws Exception {
    List<byte[]> parts = parts(coding, 5, "<a href=\"/x\">".getBytes(UTF_8));
    Body.Relayed body = (Body.Relayed) HtmlBody.of(page(parts), coding, url -> "/proxy" + url);

    body.writeTo(part -> events.add("sent"));
    body.abandon();

    assertThat(String.join(" ", events))
        .startsWith("taken sent taken sent taken sent taken sent taken sent")
        .endsWith(" abandoned");
  }

  @Test
  void smallPartThatBecomesALargeOne_isSentInBlocks() throws Exception {
    List<byte[]> parts = parts("gzip", 1, new byte[64 * 1024 * 1024]);
    Body.Relayed body = (Body.Relayed) HtmlBody.of(page(parts), "gzip", url -> url);
    long[] most = new long[1];

    body.writeTo(part -> most[0] = Math.max(most[0], part.length()));

    assertThat(most[0]).isPositive().isLessThan(128 * 1024);
  }

  @Test
  void pageInAnotherCoding_isPassed() {
    Body.Relayed page = page(List.of());

    assertThat(HtmlBody.of(page, "br", url -> url)).isSameAs(page);
  }

  @Test
  void headOfGzipWithoutAnEnd_isRefused() {
    byte[] head = new byte[10_000];
    byte[] begin = {0x1f, (byte) 0x8b, 8, 8, 0, 0, 0, 0, 0, 0};
    Arrays.fill(head, (byte) 'x');
    System.arraycopy(begin, 0, head, 0, begin.length);
    Body.Relayed body = (Body.Relayed) HtmlBody.of(page(List.of(head)), "gzip", url -> url);

    assertThatIllegalStateException()
        .isThrownBy(() -> body.writeTo(part -> {}))
        .withMessage("the page is no gzip");
  }
}
