package dev.keelson.server.cache;

import dev.keelson.controller.serviceaccount.TokenSource;
import dev.keelson.object.ObjectSink;

/** Supplies Secrets and service accounts from the watch cache. */
public record CachedTokenSource(Reflectors<TokenSource.Kind> types) implements TokenSource {

  @Override
  public void listen(Runnable changed) {
    types.listen(changed);
  }

  @Override
  public void catchUp(ObjectSink<Kind> sink) {
    types.catchUp(sink);
  }
}
