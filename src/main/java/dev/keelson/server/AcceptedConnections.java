package dev.keelson.server;

import dev.keelson.http.connection.ConnectionLimits;
import dev.keelson.server.lifecycle.GracefulShutdown;
import dev.keelson.server.lifecycle.Listeners;
import io.netty.channel.Channel;
import io.quarkus.arc.Arc;
import io.quarkus.arc.ArcContainer;
import io.quarkus.runtime.Quarkus;
import java.time.InstantSource;
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
