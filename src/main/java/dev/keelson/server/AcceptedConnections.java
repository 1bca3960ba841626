package dev.keelson.server;

import dev.keelson.http.connection.ConnectionLimits;
import dev.keelson.http.health.Metrics;
import dev.keelson.server.lifecycle.GracefulShutdown;
import dev.keelson.server.lifecycle.Listeners;
import io.netty.channel.Channel;
import io.quarkus.arc.Arc;
import io.quarkus.arc.ArcContainer;
import io.quarkus.runtime.Quarkus;
import java.time.InstantSource;
import java.util.Map;
import org.jboss.logging.Logger;

/** Loaded by Netty as a service, which gives it no clock. */
public final class AcceptedConnections extends ConnectionLimits {

  private static final Logger LOG = Logger.getLogger(AcceptedConnections.class);

  /** For the service loader. */
  public AcceptedConnections() {
    super(InstantSource.system());
  }

  @Override
  protected void listenerOpened(Channel listener) {
    ArcContainer beans = Arc.container();
    if (beans != null) {
      beans.instance(Listeners.class).get().add(listener);
    }
  }

  @Override
  protected void handshakeFailed() {
    ArcContainer beans = Arc.container();
    if (beans != null) {
      beans
          .instance(Metrics.class)
          .get()
          .count(
              "apiserver_tls_handshake_errors_total",
              "Connections that ended before client and server had agreed on TLS.",
              Map.of());
    }
  }

  /** A process that nobody can reach ends, so that a supervisor starts it again. */
  @Override
  protected void listenerClosed() {
    ArcContainer beans = Arc.container();
    if (beans != null && !beans.instance(GracefulShutdown.class).get().leaving()) {
      LOG.error("event=listener-closed cause=\"an exception while accepting a connection\"");
      Quarkus.asyncExit(1);
    }
  }
}
