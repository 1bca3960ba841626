package dev.keelson.http.filter;

import dev.keelson.http.ApiResponse;
import dev.keelson.http.Body;
import dev.keelson.http.Body.Payload;
import dev.keelson.http.Exchange;
import dev.keelson.http.RequestHandler;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.util.Locale;
import java.util.zip.Deflater;
import java.util.zip.GZIPOutputStream;

/**
 * Compresses large responses if the client accepts gzip, at the fastest level, as kube-apiserver
 * does.
 */
record CompressionFilter(RequestHandler next) implements RequestHandler {

  /** The size in bytes above which responses are compressed. */
  private static final int THRESHOLD = 128 * 1024;

  @Override
  public ApiResponse answer(Exchange exchange) {
    ApiResponse answer = next.answer(exchange);
    if (!answer.header("Content-Encoding").isEmpty()
        || !accepted(exchange.request().header("Accept-Encoding"))) {
      return answer;
    }
    return switch (answer.body()) {
      case Payload payload when payload.length() > THRESHOLD -> compressed(answer, whole(payload));
      case Body.Streamed streamed -> compressed(answer, streamed(streamed));
      case Payload _, Body.LongRunning _, Body.Relayed _, Body.Upgraded _ -> answer;
    };
  }

  /** By hand, since a content coding is no media type, and of its weight only zero counts. */
  private static boolean accepted(String encodings) {
    for (String encoding : encodings.split(",", -1)) {
      String[] parts = encoding.trim().toLowerCase(Locale.ROOT).split(";", -1);
      if (parts[0].trim().equals("gzip")) {
        return parts.length == 1 || !parts[1].replace(" ", "").matches("q=0(\\.0*)?");
      }
    }
    return false;
  }

  private static ApiResponse compressed(ApiResponse answer, Body body) {
    return new ApiResponse(answer.status(), answer.headers(), body)
        .with("Content-Encoding", "gzip")
        .with("Vary", "Accept-Encoding");
  }

  private static Payload whole(Payload payload) {
    ByteArrayOutputStream out = new ByteArrayOutputStream((int) payload.length() / 4);
    try (Gzip gzip = new Gzip(out)) {
      write(gzip, payload);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return Payload.of(out.toByteArray());
  }

  private static Body.Streamed streamed(Body.Streamed plain) {
    return sink -> {
      ByteArrayOutputStream out = new ByteArrayOutputStream(THRESHOLD);
      try (Gzip gzip = new Gzip(out)) {
        plain.writeTo(
            part -> {
              try {
                write(gzip, part);
              } catch (IOException e) {
                throw new UncheckedIOException(e);
              }
              flush(out, sink);
            });
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
      flush(out, sink);
    };
  }

  private static void flush(ByteArrayOutputStream out, Body.Sink sink) throws InterruptedException {
    if (out.size() > 0) {
      sink.write(Payload.of(out.toByteArray()));
      out.reset();
    }
  }

  private static void write(OutputStream out, Payload payload) throws IOException {
    for (Payload.Slice slice : payload.slices()) {
      out.write(slice.array(), slice.offset(), slice.length());
    }
  }

  /** A GZIPOutputStream at the fastest level. */
  private static final class Gzip extends GZIPOutputStream {
    Gzip(OutputStream out) throws IOException {
      super(out, 16 * 1024);
      def.setLevel(Deflater.BEST_SPEED);
    }
  }
}
