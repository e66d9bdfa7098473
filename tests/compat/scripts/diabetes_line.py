"""A straight line through one column of the diabetes data, judged on rows that were held out."""

from sklearn.datasets import load_diabetes
from sklearn.linear_model import LinearRegression
from sklearn.metrics import mean_squared_error, r2_score
from sklearn.model_selection import train_test_split

X, y = load_diabetes(return_X_y=True)
X_train, X_test, y_train, y_test = train_test_split(X[:, [2]], y, test_size=40, shuffle=False)

line = LinearRegression().fit(X_train, y_train)
found = line.predict(X_test)
print(f"slope {line.coef_[0]:.6g}, intercept {line.intercept_:.6g}")
print(f"mean squared error {mean_squared_error(y_test, found):.6g}, R2 {r2_score(y_test, found):.6g}")
