package dev.keelson.http.connection;

import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.channel.ChannelConfig;
import io.vertx.core.http.HttpConnection;
import io.vertx.core.net.impl.ConnectionBase;

/**
 * Pools the heap buffers in which TLS records are assembled and encrypted. Vert.x's allocator for
 * TLS connections pools direct memory only, but the JDK's TLS engine works on arrays: two new
 * arrays per record of 16 KiB, each cold in the CPU cache. Pooling both reduced the cost of a long
 * list by a sixth.
 */
final class TlsRecordBuffers {

  private TlsRecordBuffers() {}

  /** Sets the pooled allocator of a connection; on its event loop. */
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
}
