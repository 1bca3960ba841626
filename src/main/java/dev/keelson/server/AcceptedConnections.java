package dev.keelson.server;

import dev.keelson.http.connection.ConnectionLimits;
import java.time.InstantSource;

/** Loaded by Netty as a service, which gives it no clock. */
public final class AcceptedConnections extends ConnectionLimits {

  /** For the service loader. */
  public AcceptedConnections() {
    super(InstantSource.system());
  }
}
