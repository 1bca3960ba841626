package dev.keelson.controller.manager;

import dev.keelson.controller.Controller;
import dev.keelson.controller.WorkQueueMetrics;
import java.util.function.Function;

/**
 * Makes a controller when this process becomes the leader.
 *
 * @param name the name in {@code --controllers}
 * @param make makes a controller that has not started
 */
public record ControllerFactory(String name, Function<ControllerContext, Controller> make) {

  /** Makes the same controller, with queues that {@code metrics} measures. */
  public ControllerFactory measuredBy(WorkQueueMetrics metrics) {
    return new ControllerFactory(
        name,
        context -> {
          Controller controller = make.apply(context);
          controller.measure(metrics);
          return controller;
        });
  }
}
