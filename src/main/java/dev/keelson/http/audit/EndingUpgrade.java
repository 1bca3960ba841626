package dev.keelson.http.audit;

import dev.keelson.http.Body;
import io.vertx.core.net.NetSocket;

/** A connection that another protocol takes over, with an end that is reported. */
public record EndingUpgrade(Body.Upgraded body, BodyEnd end) implements Body.Upgraded {

  @Override
  public void take(NetSocket connection) {
    body.take(connection);
  }

  @Override
  public void ended() {
    body.ended();
    end.completedOnLoop();
  }

  @Override
  public void abandon() {
    body.abandon();
    end.completedOnLoop();
  }
}
