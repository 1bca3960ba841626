/**
 * Creates the Jobs of CronJobs at their times. Sees the API through the client only. Begin with
 * {@link dev.keelson.controller.cronjob.CronJobController}; the times are those of {@code
 * CronTimes}.
 */
@NullMarked
package dev.keelson.controller.cronjob;

import org.jspecify.annotations.NullMarked;
