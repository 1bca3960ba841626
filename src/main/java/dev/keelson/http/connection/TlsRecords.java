package dev.keelson.http.connection;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.channel.ChannelConfig;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelPipeline;
import io.vertx.core.http.HttpConnection;
import io.vertx.core.net.impl.ConnectionBase;

/** The TLS records of a connection: the buffers they are made in, and how many may be empty. */
final class TlsRecords {

  /**
   * What a client may send in records without data, in bytes: handshake messages, key updates,
   * alerts. A handshake with certificates takes less than half of it, and a record that is not
   * complete a quarter.
   */
  static final int MOST_EMPTY = 64 * 1024;

  /** How many bytes on the wire a byte of data may take: one in a record of its own takes 23. */
  static final int WIRE_FOR_DATA = 32;

  private TlsRecords() {}

  /**
   * Sets the pooled allocator of a connection; on its event loop. Vert.x's allocator for TLS
   * connections pools direct memory only, but the JDK's TLS engine works on arrays: two new arrays
   * per record of 16 KiB, each cold in the CPU cache. Pooling both reduced the cost of a long list
   * by a sixth.
   */
  static void pool(HttpConnection connection) {
    if (connection instanceof ConnectionBase base) {
      ChannelConfig config = base.channel().config();
      // not a constant here: Netty's pools must not be in the native image heap
      ByteBufAllocator pool = PooledByteBufAllocator.DEFAULT;
      if (config.getAllocator() != pool) {
        config.setAllocator(pool);
      }
    }
  }

  /**
   * Ends a connection that sends records without data: each key update of TLS 1.3 costs new keys
   * and, if the client asks for it, one in return, which waits in memory while the client does not
   * read (source: maxUselessRecords of Go's crypto/tls). Data pays for a few of them.
   *
   * @param tls the name of the handler of TLS in the pipeline
   */
  static void limit(ChannelPipeline pipeline, String tls) {
    Received received = new Received();
    pipeline.addBefore(tls, null, received).addAfter(tls, null, new Decrypted(received));
  }

  /** Counts the bytes on the wire that have not become data; on the connection's event loop. */
  private static final class Received extends ChannelInboundHandlerAdapter {

    private long empty;

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object message) {
      if (message instanceof ByteBuf bytes) {
        empty += bytes.readableBytes();
      }
      ctx.fireChannelRead(message);
      if (empty > MOST_EMPTY) {
        var unused = ctx.close();
      }
    }
  }

  private static final class Decrypted extends ChannelInboundHandlerAdapter {

    private final Received received;

    Decrypted(Received received) {
      this.received = received;
    }

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object message) {
      if (message instanceof ByteBuf bytes) {
        received.empty = Math.max(0, received.empty - (long) WIRE_FOR_DATA * bytes.readableBytes());
      }
      ctx.fireChannelRead(message);
    }
  }
}
