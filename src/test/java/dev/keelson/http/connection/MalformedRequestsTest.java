package dev.keelson.http.connection;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpRequestDecoder;
import io.netty.handler.codec.http.HttpResponseEncoder;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.util.ReferenceCountUtil;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Requests that cannot be read, and responses without a Date. */
class MalformedRequestsTest {

  private static final String DATE = "Thu, 01 Jan 1970 00:00:00 GMT";

  private final EmbeddedChannel channel =
      new EmbeddedChannel(
          new HttpRequestDecoder(),
          new HttpResponseEncoder(),
          new MalformedRequests(new DateHeader(() -> Instant.EPOCH)));

  private void receive(String bytes) {
    boolean unused =
        channel.writeInbound(Unpooled.copiedBuffer(bytes.getBytes(StandardCharsets.ISO_8859_1)));
  }

  private String sent() {
    StringBuilder text = new StringBuilder();
    for (ByteBuf next = channel.readOutbound(); next != null; next = channel.readOutbound()) {
      text.append(next.toString(StandardCharsets.ISO_8859_1));
      next.release();
    }
    return text.toString();
  }

  private List<String> passed() {
    List<String> uris = new ArrayList<>();
    for (Object next = channel.readInbound(); next != null; next = channel.readInbound()) {
      if (next instanceof HttpRequest request) {
        uris.add(request.uri());
      }
      ReferenceCountUtil.release(next);
    }
    return uris;
  }

  private void respond(HttpResponseStatus status) {
    DefaultFullHttpResponse response =
        new DefaultFullHttpResponse(HttpVersion.HTTP_1_1, status, Unpooled.EMPTY_BUFFER);
    if (status.code() >= 200) {
      response.headers().set(HttpHeaderNames.CONTENT_LENGTH, 0);
    }
    boolean unused = channel.writeOutbound(response);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "GET / HTTP/1.1                          | 400 Bad Request: missing required Host header",
        "GET / HTTP/1.1;Host: a/b                | 400 Bad Request: malformed Host header",
        "GET / HTTP/1.1;Host: a b                | 400 Bad Request: malformed Host header",
        "GET / HTTP/1.1;Host: a;Host: a          | 400 Bad Request",
        "GET / HTTP/1.1;Host: a;B@d name: b      | 400 Bad Request",
        "G(T / HTTP/1.1;Host: a                  | 400 Bad Request",
        "GET api HTTP/1.1;Host: a                | 400 Bad Request",
        "GET / HTTP/9.9;Host: a                  | 505 HTTP Version Not Supported: unsupported"
            + " protocol version",
      })
  void requestThatCannotBeRead_isAnsweredAsByGo(String request, String answer) {
    receive(request.replace(";", "\r\n") + "\r\n\r\n");

    assertThat(sent())
        .isEqualTo(
            "HTTP/1.1 "
                + answer
                + "\r\ncontent-type: text/plain; charset=utf-8\r\nconnection: close\r\ndate: "
                + DATE
                + "\r\n\r\n"
                + answer);
    assertEnds();
    assertThat(passed()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "Transfer-Encoding: xchunked",
        "Transfer-Encoding: xchunked;Content-Length: 5",
        "Transfer-Encoding: identity;Content-Length: 5",
        "Transfer-Encoding: gzip, chunked",
        "Transfer-Encoding: chunked, identity",
        "Transfer-Encoding: chunked;Transfer-Encoding: identity",
        "Transfer-Encoding: chunked;transfer-encoding: chunked",
        "Transfer-Encoding:;Content-Length: 5"
      })
  void bodyWhoseEndIsNotKnown_isNotRead_norWhatFollows(String headers) {
    receive(
        "POST / HTTP/1.1\r\nHost: a\r\n"
            + headers.replace(";", "\r\n")
            + "\r\n\r\n0\r\n\r\nGET /smuggled HTTP/1.1\r\nHost: a\r\n\r\n");

    assertThat(sent())
        .startsWith("HTTP/1.1 501 Not Implemented\r\n")
        .contains("\r\nconnection: close\r\n")
        .endsWith("\r\n\r\nUnsupported transfer encoding");
    assertEnds();
    assertThat(passed()).isEmpty();
  }

  @Test
  void chunkedBody_isGoneBy_evenBesideALength() {
    receive(
        "POST /body HTTP/1.1\r\nHost: a\r\nContent-Length: 60\r\nTransfer-Encoding: Chunked\r\n\r\n"
            + "0\r\n\r\nGET /next HTTP/1.1\r\nHost: a\r\n\r\n");

    assertThat(passed()).containsExactly("/body", "/next");
  }

  @Test
  void longHeader_is431() {
    receive("GET / HTTP/1.1\r\nHost: a\r\nLong: " + "x".repeat(10_000) + "\r\n\r\n");

    assertThat(sent())
        .startsWith("HTTP/1.1 431 Request Header Fields Too Large\r\n")
        .endsWith("\r\n\r\n431 Request Header Fields Too Large");
    assertEnds();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "GET /api?x=%zz HTTP/1.1\r\nHost: [::1]:6443\r\n\r\n",
        "GET / HTTP/1.0\r\n\r\n",
        "GET / HTTP/1.1\r\nHost:\r\n\r\n",
        "OPTIONS * HTTP/1.1\r\nHost: a\r\n\r\n",
        "GET https://a/api HTTP/1.1\r\nHost: a\r\n\r\n",
        "CONNECT a:80 HTTP/1.1\r\nHost: a\r\n\r\n"
      })
  void otherRequest_isPassedOn(String request) {
    receive(request);

    assertThat(passed()).hasSize(1);
    assertThat(sent()).isEmpty();
    assertThat(channel.isOpen()).isTrue();
  }

  @Test
  void responseWithoutADate_getsOne() {
    receive("GET / HTTP/1.1\r\nHost: a\r\n\r\n");
    assertThat(passed()).containsExactly("/");

    respond(HttpResponseStatus.CONTINUE);
    assertThat(sent()).isEqualTo("HTTP/1.1 100 Continue\r\n\r\n");
    respond(HttpResponseStatus.OK);
    assertThat(sent()).contains("\r\ndate: " + DATE + "\r\n");
  }

  @Test
  void unknownExpectation_is417() {
    receive("POST / HTTP/1.1\r\nHost: a\r\nExpect: more\r\nContent-Length: 5\r\n\r\n");

    assertThat(sent())
        .isEqualTo(
            "HTTP/1.1 417 Expectation Failed\r\nconnection: close\r\ndate: "
                + DATE
                + "\r\ncontent-length: 0\r\n\r\n");
    assertEnds();
    assertThat(passed()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "GET / HTTP/1.1;Content-Length: 5;Expect: 100-continue",
        "POST / HTTP/1.1;Content-Length: 5;Expect: 100-continue",
        "POST / HTTP/1.1;Transfer-Encoding: chunked;Expect: a, 100-Continue",
      })
  void responseToAClientThatWaitsFor100_endsTheConnection(String request) {
    receive(request.replace(";", "\r\n") + "\r\nHost: a\r\n\r\n");
    assertThat(passed()).containsExactly("/");

    respond(HttpResponseStatus.FORBIDDEN);

    assertThat(sent()).startsWith("HTTP/1.1 403").contains("\r\nconnection: close\r\n");
    assertEnds();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "GET / HTTP/1.1;Host: a;Expect: 100-continue;;",
        "POST / HTTP/1.1;Host: a;Expect: 100-continue;Content-Length: 2;;{}",
        "POST / HTTP/1.0;Host: a;Expect: 100-continue;Content-Length: 2;;",
      })
  void bodyThatIsNotWaitedFor_leavesTheConnection(String request) {
    receive(request.replace(";", "\r\n"));
    assertThat(passed()).containsExactly("/");

    respond(HttpResponseStatus.FORBIDDEN);

    assertThat(sent()).startsWith("HTTP/1.1 403").doesNotContain("close");
    channel.advanceTimeBy(500, TimeUnit.MILLISECONDS);
    channel.runScheduledPendingTasks();
    assertThat(channel.isOpen()).isTrue();
  }

  @Test
  void clientThatWasSent100_keepsTheConnection() {
    receive("POST /a HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\nContent-Length: 2\r\n\r\n");
    respond(HttpResponseStatus.CONTINUE);
    respond(HttpResponseStatus.FORBIDDEN);

    assertThat(sent()).startsWith("HTTP/1.1 100 Continue\r\n\r\n").doesNotContain("close");
    receive("{}GET /b HTTP/1.1\r\nHost: a\r\n\r\n");
    assertThat(passed()).containsExactly("/a", "/b");
  }

  @Test
  void requestThatWaitsFor100_behindAnOpenOne_endsTheConnectionAfterBoth() {
    receive(
        "GET /a HTTP/1.1\r\nHost: a\r\n\r\n"
            + "POST /b HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\nContent-Length: 2\r\n\r\n");
    respond(HttpResponseStatus.OK);
    assertThat(sent()).doesNotContain("close");

    respond(HttpResponseStatus.FORBIDDEN);

    assertThat(sent()).contains("\r\nconnection: close\r\n");
    assertThat(passed()).containsExactly("/a", "/b");
    assertEnds();
  }

  @Test
  void malformedRequest_behindAnOpenOne_isAnsweredAfterIt() {
    receive("GET /a HTTP/1.1\r\nHost: a\r\n\r\nGET /b HTTP/1.1\r\n\r\nGET /c HTTP/1.1\r\n\r\n");
    assertThat(passed()).containsExactly("/a");
    assertThat(sent()).isEmpty();

    respond(HttpResponseStatus.OK);

    assertThat(sent())
        .startsWith("HTTP/1.1 200 OK\r\n")
        .endsWith("400 Bad Request: missing required Host header");
    assertEnds();
  }

  /** The end comes later than the response, so that no reset takes the response from the client. */
  private void assertEnds() {
    assertThat(channel.isOpen()).isTrue();
    assertThat(channel.writeInbound(Unpooled.copiedBuffer("more", StandardCharsets.US_ASCII)))
        .isFalse();
    channel.advanceTimeBy(500, TimeUnit.MILLISECONDS);
    channel.runScheduledPendingTasks();
    assertThat(channel.isOpen()).isFalse();
  }
}
