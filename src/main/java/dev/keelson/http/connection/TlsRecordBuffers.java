package dev.keelson.http.connection;

import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.channel.ChannelConfig;
import io.vertx.core.http.HttpConnection;
import io.vertx.core.net.impl.ConnectionBase;

/**
 * Where a connection's TLS records are put together and encrypted. Vert.x gives connections with
 * TLS an allocator that pools direct memory only, and the JDK's TLS works on arrays: two new arrays
 * a record of 16 KiB, each one cold in the processor's cache. Taking both from a pool cut the cost
 * of a long list by a sixth.
 */
final class TlsRecordBuffers {

  private TlsRecordBuffers() {}

  /** From now on the connection takes its arrays from the pool; on its event loop. */
  static void pool(HttpConnection connection) {
    if (connection instanceof ConnectionBase base) {
      ChannelConfig config = base.channel().config();
      // not a constant here: Netty's pools do not belong into a native image
      ByteBufAllocator pool = PooledByteBufAllocator.DEFAULT;
      if (config.getAllocator() != pool) {
        config.setAllocator(pool);
      }
    }
  }
}
