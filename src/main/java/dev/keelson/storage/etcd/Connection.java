package dev.keelson.storage.etcd;

import dev.keelson.storage.StorageException;
import io.etcd.jetcd.Client;
import io.etcd.jetcd.ClientBuilder;
import io.netty.handler.ssl.SslContext;
import java.time.Duration;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.locks.ReentrantLock;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * The jetcd client in use. It is made when it is first needed, and again when it has not reached
 * etcd for a while: gRPC waits up to two minutes between two attempts to connect after a long
 * outage and jetcd gives no way to end that wait, while a new client connects at once.
 */
final class Connection implements AutoCloseable {

  private static final Duration REPLACE_AFTER = Duration.ofSeconds(4);

  private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(3);

  private static final Logger LOG = Logger.getLogger(Connection.class);

  private final EtcdOptions options;
  private final @Nullable SslContext tls;

  /** Runs the short tasks of jetcd; holds no resources, and so is never shut down. */
  private final ExecutorService executor = Executors.newVirtualThreadPerTaskExecutor();

  private final CallDeadlines deadlines;

  // guards link's changes and closed
  private final ReentrantLock lock = new ReentrantLock();
  private volatile @Nullable Link link;
  private boolean closed;

  Connection(EtcdOptions options, @Nullable SslContext tls) {
    this.options = options;
    this.tls = tls;
    deadlines = new CallDeadlines(options.deadline());
  }

  /**
   * The client to use now.
   *
   * @throws StorageException.Closed after {@link #close}
   */
  Link link() {
    Link known = link;
    if (known != null) {
      return known;
    }
    lock.lock();
    try {
      if (closed) {
        throw new StorageException.Closed("the store was closed");
      }
      Link current = link;
      if (current == null) {
        current = connect();
        link = current;
      }
      return current;
    } finally {
      lock.unlock();
    }
  }

  private Link connect() {
    CallInterceptor interceptor = new CallInterceptor(deadlines);
    ClientBuilder builder =
        Client.builder()
            .endpoints(options.endpoints())
            .interceptor(interceptor)
            // a watch's catch-up comes in one message per 1000 revisions; etcd's own client sets
            // no bound either. Single calls are bounded in CallInterceptor
            .maxInboundMessageSize(Integer.MAX_VALUE)
            .connectTimeout(CONNECT_TIMEOUT)
            .keepaliveTime(options.keepAlive())
            .keepaliveTimeout(options.keepAlive())
            // etcd closes connections with too many keep-alive probes
            .keepaliveWithoutCalls(false)
            .retryDelay(50)
            .retryMaxDelay(1000)
            .executorService(executor);
    if (tls != null) {
      builder.sslContext(tls);
    }
    return new Link(builder.build(), interceptor, options.revisionKey());
  }

  /** Reports that a call through {@code suspect} could not be sent. */
  void notSent(Link suspect) {
    if (suspect.uselessNanos() < REPLACE_AFTER.toNanos()) {
      return;
    }
    lock.lock();
    try {
      if (link != suspect) {
        return;
      }
      link = null;
    } finally {
      lock.unlock();
    }
    LOG.warnf("etcd is unreachable, reconnecting endpoints=%s", options.endpoints());
    suspect.client.close();
  }

  @Override
  public void close() {
    Link last;
    lock.lock();
    try {
      closed = true;
      last = link;
      link = null;
    } finally {
      lock.unlock();
    }
    if (last != null) {
      last.client.close();
    }
  }
}
