package dev.keelson.server.identity;

import dev.keelson.authz.Attributes;
import dev.keelson.authz.Authorizer;
import dev.keelson.authz.Decision;
import dev.keelson.authz.ResolvedRules;
import dev.keelson.request.UserInfo;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** An authorizer that is created on first use. */
final class LazyAuthorizer implements Authorizer {

  private final Supplier<Authorizer> maker;
  private final ReentrantLock making = new ReentrantLock();
  private volatile @Nullable Authorizer made;

  LazyAuthorizer(Supplier<Authorizer> maker) {
    this.maker = maker;
  }

  private Authorizer get() {
    Authorizer known = made;
    if (known != null) {
      return known;
    }
    making.lock();
    try {
      Authorizer one = made;
      if (one == null) {
        one = maker.get();
        made = one;
      }
      return one;
    } finally {
      making.unlock();
    }
  }

  @Override
  public Decision authorize(Attributes attributes) {
    return get().authorize(attributes);
  }

  @Override
  public ResolvedRules rules(UserInfo user, String namespace) {
    return get().rules(user, namespace);
  }
}
