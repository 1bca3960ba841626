package dev.keelson.controller.discovery;

import dev.keelson.client.OwnedObject;
import dev.keelson.client.OwnershipFeed;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The feed of the garbage collector, made of informers. */
public final class InformedOwnership implements OwnershipFeed {

  private final ServedTypes types;
  private final MetadataInformers informers;
  private final BlockingQueue<Consumer<Listener>> changes = new LinkedBlockingQueue<>();
  private final AtomicBoolean listening = new AtomicBoolean();

  /** Not yet following. */
  public InformedOwnership(ServedTypes types, MetadataInformers informers) {
    this.types = types;
    this.informers = informers;
  }

  @Override
  public void follow(Listener listener) throws InterruptedException {
    // the queue begins with all objects, and has every change until the end of the process
    if (listening.compareAndSet(false, true)) {
      listener.restarted();
      informers.listen(new Changes());
      types.catalog().onChange((before, after, change) -> changes.add(Listener::typesChanged));
      changes.add(Listener::complete);
    }
    while (true) {
      changes.take().accept(listener);
    }
  }

  private final class Changes implements MetadataInformers.Changes {

    @Override
    public void changed(@Nullable OwnedObject before, OwnedObject now) {
      if (!now.plain() || (before != null && !before.plain())) {
        changes.add(listener -> listener.changed(now));
      }
    }

    @Override
    public void gone(OwnedObject last) {
      changes.add(listener -> listener.gone(last.address()));
    }
  }
}
