package dev.keelson.http.stream;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.handler.codec.spdy.DefaultSpdyDataFrame;
import io.netty.handler.codec.spdy.DefaultSpdyGoAwayFrame;
import io.netty.handler.codec.spdy.DefaultSpdyPingFrame;
import io.netty.handler.codec.spdy.DefaultSpdyRstStreamFrame;
import io.netty.handler.codec.spdy.DefaultSpdySettingsFrame;
import io.netty.handler.codec.spdy.DefaultSpdySynReplyFrame;
import io.netty.handler.codec.spdy.DefaultSpdySynStreamFrame;
import io.netty.handler.codec.spdy.SpdyDataFrame;
import io.netty.handler.codec.spdy.SpdyFrameCodec;
import io.netty.handler.codec.spdy.SpdyPingFrame;
import io.netty.handler.codec.spdy.SpdyRstStreamFrame;
import io.netty.handler.codec.spdy.SpdySynStreamFrame;
import io.netty.handler.codec.spdy.SpdyVersion;
import io.vertx.core.buffer.Buffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Both directions against Netty's codec, which inflates header blocks. */
@Timeout(20)
class SpdyFramesTest implements SpdyReader.Sink {

  private final EmbeddedChannel peer =
      new EmbeddedChannel(new SpdyFrameCodec(SpdyVersion.SPDY_3_1));
  private final List<String> got = new ArrayList<>();

  @AfterEach
  void close() {
    var unused = peer.close();
  }

  @Override
  public void data(int stream, Buffer bytes) {
    got.add(stream + " " + bytes);
  }

  @Override
  public void ended(int stream) {
    got.add(stream + " ended");
  }

  @Override
  public void opened(int stream) {
    got.add(stream + " opened");
  }

  @Override
  public void ping(int id) {
    got.add("ping " + id);
  }

  private <T> T read(Buffer frame, Class<T> type) {
    boolean unused = peer.writeInbound(Unpooled.wrappedBuffer(frame.getBytes()));
    return type.cast(peer.readInbound());
  }

  @Test
  void headers_areReadByOthers() {
    SpdySynStreamFrame first =
        read(SpdyFrames.open(1, "streamtype", "error", true), SpdySynStreamFrame.class);
    SpdySynStreamFrame second =
        read(SpdyFrames.open(3, "streamtype", "stdin", false), SpdySynStreamFrame.class);

    assertThat(first.streamId()).isEqualTo(1);
    assertThat(first.isInvalid() || second.isInvalid()).isFalse();
    assertThat(first.headers().get("streamtype")).hasToString("error");
    assertThat(second.streamId()).isEqualTo(3);
    assertThat(second.headers().get("streamtype")).hasToString("stdin");
  }

  @Test
  void otherFrames_areReadByOthers() {
    SpdyDataFrame data = read(SpdyFrames.data(5, Buffer.buffer("abc")), SpdyDataFrame.class);
    assertThat(data.streamId()).isEqualTo(5);
    assertThat(data.content().toString(StandardCharsets.UTF_8)).isEqualTo("abc");
    assertThat(data.isLast()).isFalse();
    assertThat(read(SpdyFrames.end(7), SpdyDataFrame.class).isLast()).isTrue();
    assertThat(read(SpdyFrames.ping(-2), SpdyPingFrame.class).id()).isEqualTo(-2);
    assertThat(read(SpdyFrames.refuse(2), SpdyRstStreamFrame.class).streamId()).isEqualTo(2);
  }

  private Buffer sent(Object... frames) {
    boolean unused = peer.writeOutbound(frames);
    Buffer all = Buffer.buffer();
    for (ByteBuf part = peer.readOutbound(); part != null; part = peer.readOutbound()) {
      byte[] bytes = new byte[part.readableBytes()];
      part.readBytes(bytes);
      all.appendBytes(bytes);
      assertThat(part.release()).isTrue();
    }
    return all;
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 3, 1000})
  void framesOfOthers_areRead(int step) {
    DefaultSpdySynReplyFrame reply = new DefaultSpdySynReplyFrame(1);
    reply.headers().set("status", "200");
    DefaultSpdySynStreamFrame open = new DefaultSpdySynStreamFrame(2, 0, (byte) 0);
    open.headers().set("streamtype", "error");
    Buffer all =
        sent(
            reply,
            new DefaultSpdySettingsFrame().setValue(1, 5),
            new DefaultSpdyDataFrame(1, Unpooled.wrappedBuffer(new byte[] {'x'})),
            open,
            new DefaultSpdyPingFrame(-3),
            new DefaultSpdyDataFrame(3).setLast(true),
            new DefaultSpdyRstStreamFrame(5, 1),
            new DefaultSpdyGoAwayFrame(0));
    SpdyReader reader = new SpdyReader(this);

    for (int at = 0; at < all.length(); at += step) {
      reader.add(all.getBuffer(at, Math.min(all.length(), at + step)));
    }

    assertThat(got).containsExactly("1 x", "2 opened", "ping -3", "3 ended", "5 ended");
  }
}
