package dev.keelson.http.page;

import dev.keelson.http.Body;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.function.UnaryOperator;
import java.util.zip.DataFormatException;
import java.util.zip.Deflater;
import java.util.zip.DeflaterOutputStream;
import java.util.zip.GZIPOutputStream;
import org.jspecify.annotations.Nullable;

/**
 * A page whose links are rewritten while it passes. Nothing is kept but a tag and, if the page is
 * compressed, a block of it; the server is read no faster than the client takes the page.
 */
final class HtmlBody implements Body.Relayed {

  /** What is collected before it is sent, when a little input becomes a lot. */
  private static final int BLOCK = 64 * 1024;

  private final Body.Relayed page;
  private final String coding;
  private final HtmlLinks html;
  private final Deflater deflater;

  /** What is to be sent. */
  private final ByteArrayOutputStream made = new ByteArrayOutputStream();

  /** Compresses into {@link #made}; null until the first part of the page is there. */
  private @Nullable DeflaterOutputStream compressed;

  private HtmlBody(Body.Relayed page, String coding, UnaryOperator<String> links) {
    this.page = page;
    this.coding = coding;
    html = new HtmlLinks(links);
    deflater = new Deflater(Deflater.DEFAULT_COMPRESSION, /* nowrap= */ true);
  }

  /**
   * The page with its links rewritten, or as it is in a coding that is not known.
   *
   * @param coding its Content-Encoding, empty if there is none
   */
  static Body of(Body.Relayed page, String coding, UnaryOperator<String> links) {
    return switch (coding) {
      case "", "gzip", "deflate" -> new HtmlBody(page, coding, links);
      default -> page;
    };
  }

  @Override
  public void writeTo(Body.Sink sink) throws InterruptedException {
    try (Inflating inflating = new Inflating(coding.equals("gzip"))) {
      page.writeTo(
          part -> {
            for (Body.Payload.Slice slice : part.slices()) {
              if (coding.isEmpty()) {
                made.writeBytes(html.rewritten(slice.array(), slice.offset(), slice.length()));
              } else {
                recode(slice, inflating, sink);
              }
            }
            send(sink);
          });
      byte[] rest = html.end();
      DeflaterOutputStream output = compressed;
      if (output == null) {
        made.writeBytes(rest);
      } else {
        output.write(rest);
        output.close();
      }
      send(sink);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } finally {
      deflater.end();
    }
  }

  private void recode(Body.Payload.Slice slice, Inflating inflating, Body.Sink sink)
      throws InterruptedException {
    inflating.feed(slice.array(), slice.offset(), slice.length());
    try {
      DeflaterOutputStream output = compressed;
      if (output == null) {
        output = compressing(inflating.wrapped());
        compressed = output;
      }
      for (byte[] block = inflating.next(); block.length > 0; block = inflating.next()) {
        output.write(html.rewritten(block, 0, block.length));
        if (made.size() > BLOCK) {
          send(sink);
        }
      }
      output.flush();
    } catch (DataFormatException e) {
      throw new IllegalStateException("the page is no " + coding, e);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private DeflaterOutputStream compressing(boolean wrapped) throws IOException {
    if (coding.equals("gzip")) {
      return new GZIPOutputStream(made, 8192, /* syncFlush= */ true);
    }
    return wrapped
        ? new DeflaterOutputStream(made, /* syncFlush= */ true)
        : new DeflaterOutputStream(made, deflater, 8192, /* syncFlush= */ true);
  }

  private void send(Body.Sink sink) throws InterruptedException {
    if (made.size() > 0) {
      byte[] bytes = made.toByteArray();
      made.reset();
      sink.write(Body.Payload.of(bytes));
    }
  }

  @Override
  public void abandon() {
    page.abandon();
  }
}
