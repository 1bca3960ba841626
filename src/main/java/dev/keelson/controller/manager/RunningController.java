package dev.keelson.controller.manager;

import dev.keelson.controller.Controller;
import dev.keelson.controller.WorkQueue;
import org.jboss.logging.Logger;

/** A controller and the thread that starts it, so that one that waits delays no other. */
final class RunningController implements AutoCloseable {

  private static final Logger LOG = Logger.getLogger(RunningController.class);

  private final String name;
  private final Controller controller;
  private final Thread starter;

  private RunningController(String name, Controller controller) {
    this.name = name;
    this.controller = controller;
    this.starter = Thread.ofVirtual().name("start-" + name).unstarted(this::run);
  }

  static RunningController of(ControllerFactory factory, ControllerContext context) {
    return new RunningController(factory.name(), factory.make().apply(context));
  }

  void start() {
    starter.start();
  }

  private void run() {
    try {
      controller.start();
      LOG.debugf("event=controller-started controller=%s", name);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Override
  public void close() {
    starter.interrupt();
    controller.close();
    // the queues of a former leader have no depth
    controller.queues().forEach(WorkQueue::endMeasuring);
  }
}
