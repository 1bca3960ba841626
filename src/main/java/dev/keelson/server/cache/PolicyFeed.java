package dev.keelson.server.cache;

import dev.keelson.admission.policy.PolicySource;
import dev.keelson.admission.policy.PolicyStore;
import dev.keelson.controller.ControllerLoop;
import dev.keelson.object.ApiObject;
import java.util.function.Consumer;

/**
 * Follows the admission policies and bindings of the store. What they bring is compiled on a thread
 * of its own, so that no request waits for it; the next request on this server has every write that
 * it has answered.
 */
public final class PolicyFeed implements AutoCloseable {

  private final Reflectors<PolicySource.Kind> types;
  private final PolicyStore store;
  private final ControllerLoop loop;
  private volatile Consumer<ApiObject> listener = policy -> {};

  /** Not yet following. */
  public PolicyFeed(Reflectors<PolicySource.Kind> types) {
    this.types = types;
    this.store = new PolicyStore(types::catchUp);
    this.loop = ControllerLoop.every("admission-policies", ControllerLoop.NO_RESYNC, this::prepare);
  }

  private void prepare() {
    store.prepare();
    store.validatingPolicies().forEach(listener);
  }

  /** The policies. */
  public PolicyStore store() {
    return store;
  }

  /**
   * Prepares policies as they change.
   *
   * @param policies receives the validating policies after each change; must not block
   */
  public void start(Consumer<ApiObject> policies) {
    listener = policies;
    Runnable unused = types.listen(loop::signal);
    loop.start();
  }

  @Override
  public void close() {
    loop.close();
    types.close();
  }
}
