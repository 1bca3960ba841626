package dev.keelson.http.filter;

import static org.assertj.core.api.Assertions.assertThat;

import dev.keelson.http.ApiRequest;
import dev.keelson.http.ApiResponse;
import dev.keelson.http.Body;
import dev.keelson.http.Body.Payload;
import dev.keelson.http.Exchange;
import dev.keelson.http.Query;
import dev.keelson.request.RequestContext;
import dev.keelson.request.RequestInfoResolver;
import dev.keelson.request.UserInfo;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class CompressionFilterTest {

  private static final int LEAST = 128 * 1024 + 1;
  private static final byte[] LONG = text(LEAST);

  @ParameterizedTest
  @ValueSource(strings = {"gzip", "deflate, GZIP;q=0.5", "br;q=1.0, gzip;q=0.8, *;q=0.1"})
  void longAnswer_isCompressedForThoseWhoTakeIt(String accepted) throws Exception {
    ApiResponse answer = answer("GET", accepted, Payload.of(LONG));

    assertThat(answer.header("Content-Encoding")).isEqualTo("gzip");
    assertThat(answer.header("Vary")).isEqualTo("Accept-Encoding");
    assertThat(answer.payload().length()).isLessThan(LEAST / 2);
    assertThat(unzip(answer.payload().toByteArray())).isEqualTo(LONG);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "identity", "deflate", "gzip;q=0", "gzip; q=0.000"})
  void longAnswer_isPlainForOthers(String accepted) {
    ApiResponse answer = answer("GET", accepted, Payload.of(LONG));

    assertThat(answer.header("Content-Encoding")).isEmpty();
    assertThat(answer.payload().toByteArray()).isEqualTo(LONG);
  }

  @ParameterizedTest
  @CsvSource({"GET, 131072, ''", "POST, 131072, ''", "POST, 131073, gzip", "DELETE, 131073, gzip"})
  void answerToEachMethod_isCompressedFromTheSameSizeOn(String method, int length, String coding) {
    ApiResponse answer = answer(method, "gzip", Payload.of(text(length)));

    assertThat(answer.header("Content-Encoding")).isEqualTo(coding);
  }

  @Test
  void streamedAnswer_isCompressedPartByPart() throws Exception {
    ApiResponse answer =
        answer(
            "GET",
            "gzip",
            (Body.Streamed)
                sink -> {
                  for (int part = 0; part < 8; part++) {
                    sink.write(Payload.of(LONG));
                  }
                });
    ByteArrayOutputStream sent = new ByteArrayOutputStream();

    ((Body.Streamed) answer.body()).writeTo(part -> sent.writeBytes(part.toByteArray()));

    assertThat(answer.header("Content-Encoding")).isEqualTo("gzip");
    assertThat(unzip(sent.toByteArray())).hasSize(8 * LEAST).startsWith(LONG).endsWith(LONG);
  }

  private static ApiResponse answer(String method, String accepted, Body body) {
    ApiRequest request =
        new ApiRequest(
            method,
            "/api/v1/pods",
            Query.NONE,
            accepted.isEmpty() ? Map.of() : Map.of("accept-encoding", List.of(accepted)),
            new byte[0],
            List.of(),
            "127.0.0.1");
    UserInfo user = new UserInfo("u", "", List.of(), Map.of());
    return new CompressionFilter(exchange -> ApiResponse.of(200, "application/json", body))
        .answer(
            new Exchange(
                request,
                RequestInfoResolver.parse(method, request.path(), Map.of()),
                new RequestContext(user, "a")));
  }

  private static byte[] text(int length) {
    Random random = new Random(7);
    byte[] text = new byte[length];
    for (int i = 0; i < length; i++) {
      text[i] = (byte) ('a' + random.nextInt(4));
    }
    return text;
  }

  private static byte[] unzip(byte[] zipped) throws Exception {
    try (GZIPInputStream in = new GZIPInputStream(new ByteArrayInputStream(zipped))) {
      return in.readAllBytes();
    }
  }
}
