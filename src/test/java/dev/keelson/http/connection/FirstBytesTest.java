package dev.keelson.http.connection;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelDuplexHandler;
import io.netty.channel.embedded.EmbeddedChannel;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What the first bytes of a connection tell. */
class FirstBytesTest {

  private final EmbeddedChannel channel = channel();

  /** With a handler in the place of TLS, which passes everything on. */
  private static EmbeddedChannel channel() {
    EmbeddedChannel made = new EmbeddedChannel(new FirstBytes(new DateHeader(() -> Instant.EPOCH)));
    var unused = made.pipeline().addLast(MalformedRequests.TLS, new ChannelDuplexHandler());
    return made;
  }

  private void receive(String bytes) {
    boolean unused =
        channel.writeInbound(Unpooled.copiedBuffer(bytes.getBytes(StandardCharsets.ISO_8859_1)));
  }

  private static String text(ByteBuf bytes) {
    try {
      return bytes.toString(StandardCharsets.ISO_8859_1);
    } finally {
      bytes.release();
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "GET /api HTTP/1.1\r\nHost: a\r\n\r\n",
        "HEAD / HTTP/1.1\r\n",
        "POST /",
        "PUT /",
        "OPTIONS * HTTP/1.1\r\n"
      })
  void requestWithoutTls_isToldSo(String bytes) {
    receive(bytes);

    assertThat(text(channel.readOutbound()))
        .isEqualTo(
            "HTTP/1.0 400 Bad Request\r\n\r\nClient sent an HTTP request to an HTTPS server.\n");
    assertThat(channel.isOpen()).isFalse();
    assertThat(channel.inboundMessages()).isEmpty();
  }

  @Test
  void requestThatDrips_isToldSo() {
    for (char c : "GET ".toCharArray()) {
      receive(String.valueOf(c));
    }
    assertThat(channel.outboundMessages()).isEmpty();

    receive("/");

    assertThat(text(channel.readOutbound())).startsWith("HTTP/1.0 400 Bad Request\r\n");
    assertThat(channel.isOpen()).isFalse();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"\u0016", "\u0016\u0003\u0001", "GETIT", "DELETE / HTTP/1.1", "\u0000aaaa"})
  void otherBytes_arePassedOn(String bytes) {
    receive(bytes);
    receive("more");

    assertThat(text(channel.readInbound())).isEqualTo(bytes);
    assertThat(text(channel.readInbound())).isEqualTo("more");
    assertThat(channel.pipeline().get(FirstBytes.class)).isNull();
    assertThat(channel.isOpen()).isTrue();
  }
}
