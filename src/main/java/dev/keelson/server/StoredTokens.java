package dev.keelson.server;

import dev.keelson.controller.serviceaccount.TokenSource;
import dev.keelson.object.ObjectSink;

/** Secrets and service accounts, from the watch cache. */
record StoredTokens(FollowedTypes<TokenSource.Kind> types) implements TokenSource {

  @Override
  public void listen(Runnable changed) {
    types.listen(changed);
  }

  @Override
  public void catchUp(ObjectSink<Kind> sink) {
    types.catchUp(sink);
  }
}
